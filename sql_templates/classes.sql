-- Equivalence classes of records: one row a class.
-- Slots:
--   __kept__               the keys, where a later step compares classes
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __missing__            0, 1 or 2: no, some or every quasi-identifier of the class is missing
--   __tally_sums__         the sum of each tally
-- Columns: those kept, size (records), missing, and one for each tally.
SELECT
  __kept__,
  CAST(COUNT(*) AS BIGINT) AS size,
  __missing__ AS missing,
  __tally_sums__
FROM release
GROUP BY __quasi_identifiers__
