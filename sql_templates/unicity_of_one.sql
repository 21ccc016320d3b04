-- The same where one point is known.
-- Slots:
--   __figures__  targets that are alone, those with fewer points, and the sum of 1/matches
-- Columns: arm, targets, compared (people gone through, over all targets), and those of the slot.
SELECT
  'unicity' AS arm,
  CAST(COUNT(*) AS BIGINT) AS targets,
  CAST(SUM(first) AS BIGINT) AS compared,
  __figures__
FROM point_drawn
