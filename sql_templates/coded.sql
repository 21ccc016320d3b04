-- The rows with one more column replaced by the number of its value, so that keys compare without a care for types and
-- missing values.
-- Slots:
--   __columns__  every column, the one that is replaced as COALESCE(code, 0)
--   __column__   the column
-- Columns: those of the slot.
SELECT
  __columns__
FROM release
LEFT JOIN dictionary
  USING (__column__)
