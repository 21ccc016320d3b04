-- The fewest people who have one of the points of each target.
-- Columns: target, matches.
SELECT
  target,
  MIN(people) AS matches
FROM point_known
JOIN point_sizes
  USING (point)
GROUP BY target
