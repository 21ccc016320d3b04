-- How many targets are the only one who fits, for each number of points known.
-- Slots:
--   __figures__  for each number: targets that are alone, those with fewer points, and the sum of 1/matches; of more than one
--                point nothing where they are too many to go through
-- Columns: arm, targets, compared (people gone through, over all targets), and those of the slot.
SELECT
  'unicity' AS arm,
  CAST(COUNT(*) AS BIGINT) AS targets,
  CAST(SUM(first) AS BIGINT) AS compared,
  __figures__
FROM point_drawn
LEFT JOIN point_matches
  USING (target)
