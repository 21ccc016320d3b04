-- The same, as it is returned.
-- Slots:
--   __known__  how many points are known
-- Columns: arm, known, choices.
SELECT
  'cost' AS arm,
  CAST(__known__ AS BIGINT) AS known,
  CAST(choices AS DOUBLE) AS choices
FROM point_cost
