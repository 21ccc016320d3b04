-- The frequency of frequencies: how many equivalence classes of records there are of each size.
-- Slots:
--   __bins__        what else keeps classes apart
--   __tally_sums__  the sum of each tally
-- Columns: arm, size (records), missing (as in classes.sql), classes, and one for each tally.
SELECT
  'class_sizes' AS arm,
  size,
  missing,
  __bins__,
  CAST(COUNT(*) AS BIGINT) AS classes,
  __tally_sums__
FROM classes
GROUP BY size, missing, __bins__
