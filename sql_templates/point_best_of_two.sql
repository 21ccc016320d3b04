-- The fewest people who have two points of each target, the best choice of them.
-- Columns: target, matches.
SELECT
  target,
  MIN(matches) AS matches
FROM (
  SELECT target, matches FROM point_near_best
  UNION ALL
  SELECT target, matches FROM point_choices
) AS both_searches
GROUP BY target
