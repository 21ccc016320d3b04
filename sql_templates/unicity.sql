-- How many targets are the only one who fits, for each number of points known.
-- Slots:
--   __figures__  for each number: targets that are alone, those with fewer points, and the sum of 1/matches
-- Columns: arm, targets, and those of the slot.
SELECT
  'unicity' AS arm,
  CAST(COUNT(*) AS BIGINT) AS targets,
  __figures__
FROM point_matches
