-- What the search takes.
-- Slots:
--   __known__  how many points are known
-- Columns: arm, known, shared (people who have the points, summed over all of them), choices.
SELECT
  'cost' AS arm,
  CAST(__known__ AS BIGINT) AS known,
  CAST((SELECT COALESCE(SUM(people), 0) FROM point_open) AS BIGINT) AS shared,
  CAST(choices AS DOUBLE) AS choices
FROM point_cost
