-- The rows with the number of their tuple: rows have the same one if they agree on every quasi-identifier, or miss it both.
-- Slots:
--   __columns__  the columns to keep
--   __first__    the columns of the first half
--   __second__   the columns of the second half
-- Columns: those kept, and tuple.
SELECT
  __columns__,
  one.code * (SELECT MAX(code) + 1 FROM second_half) + two.code AS tuple
FROM coded
JOIN first_half AS one
  USING (__first__)
JOIN second_half AS two
  USING (__second__)
