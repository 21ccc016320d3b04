-- The collapsed classes of the release, from which every subset of the quasi-identifiers is rolled up.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __measured__           1, or 0 for a record that is left out
-- Columns: qi_N and size (records that are measured; never 0).
SELECT
  __quasi_identifiers__,
  CAST(SUM(__measured__) AS BIGINT) AS size
FROM release
GROUP BY __quasi_identifiers__
HAVING SUM(__measured__) > 0
