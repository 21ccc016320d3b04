-- The rows of one table of a population model, with its quasi-identifiers generalised as those of the release.
-- Slots:
--   __source__             the table, or the rows of a file
--   __quasi_identifiers__  qi_N, those that the table has
--   __frequency__          the relative frequency
--   __tallies__            0/1 flags of what is wrong with a row
-- Columns: qi_N, frequency, and one for each tally.
SELECT
  __quasi_identifiers__,
  __frequency__ AS frequency,
  __tallies__
FROM __source__ AS source
