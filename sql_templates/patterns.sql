-- The patterns that occur: what some class misses. None where comparing each class with each pattern would be too much; the
-- arm wild_size.sql tells.
-- Slots:
--   __present__  for each quasi-identifier present_N: 1, or 0 where the pattern misses it
--   __most__     the most pairs of a class and a pattern that are compared
-- Columns: pattern, present_N.
SELECT
  pattern,
  __present__
FROM wild_classes
WHERE pattern > 0 AND (
  SELECT COUNT(*) FROM wild_classes
) * (SELECT COUNT(DISTINCT pattern) FROM wild_classes) <= __most__
GROUP BY pattern
