-- The targets, each with the points that an attacker comes to know first.
-- Slots:
--   __points__  point_1, point_2, ...: the number of the point in each place, NULL where the target has fewer
-- Columns: target, points (that the target has), first (people who have the first of them), fewest (people who have the rarest
-- of all of them), shared (people who have each of them, summed over all), and those of the slot.
SELECT
  target,
  points,
  CAST(SUM(CASE WHEN place = 1 THEN people ELSE 0 END) AS BIGINT) AS first,
  CAST(MIN(people) AS BIGINT) AS fewest,
  CAST(SUM(people) AS BIGINT) AS shared,
  __points__
FROM point_known
JOIN point_sizes
  USING (point)
GROUP BY target, points
