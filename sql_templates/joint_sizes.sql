-- The joint frequency of frequencies: classes by their size in the release and in the population.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: arm, size, population_size, missing (as in joint_classes.sql), classes, and one for each tally.
SELECT
  'class_sizes' AS arm,
  size,
  population_size,
  missing,
  CAST(COUNT(*) AS BIGINT) AS classes,
  __tally_sums__
FROM classes
GROUP BY size, population_size, missing
