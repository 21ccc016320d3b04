-- Each row's quasi-identifiers as one unambiguous text: values that differ, also by being missing, have texts that
-- differ. NULL where the missing-value policy leaves the row out.
-- Slots:
--   __tuple__          the text
--   __row_tallies__    the tallies, with records (1), partly_missing and wholly_missing (0 or 1)
-- Columns: entity, tuple, and one for each tally.
SELECT
  entity,
  __tuple__ AS tuple,
  __row_tallies__
FROM release
