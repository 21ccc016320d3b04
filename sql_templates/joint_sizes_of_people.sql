-- The joint frequency of frequencies of people.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: arm, size, population_size, measured (as in joint_classes_of_people.sql), classes, and one for each tally.
SELECT
  'class_sizes' AS arm,
  size,
  population_size,
  measured,
  CAST(COUNT(*) AS BIGINT) AS classes,
  __tally_sums__
FROM classes
GROUP BY size, population_size, measured
