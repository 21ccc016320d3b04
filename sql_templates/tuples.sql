-- Each row with its tuple's number. NULL where the missing-value policy leaves the row out.
-- Slots:
--   __tuple__          the number
--   __sensitive__      the codes of the sensitive values
--   __row_tallies__    the tallies, with records (1), partly_missing and wholly_missing (0 or 1)
-- Columns: entity, tuple, those of the sensitive values, and one for each tally.
SELECT
  entity,
  __tuple__ AS tuple,
  __sensitive__,
  __row_tallies__
FROM release
