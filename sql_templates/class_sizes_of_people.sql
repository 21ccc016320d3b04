-- The frequency of frequencies of people.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: arm, size (people), measured (0 for those left out), classes, and one for each tally.
SELECT
  'class_sizes' AS arm,
  size,
  measured,
  CAST(COUNT(*) AS BIGINT) AS classes,
  __tally_sums__
FROM classes
GROUP BY size, measured
