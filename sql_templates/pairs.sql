-- Each person once for each of their tuples.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __measured__           1, or 0 where the tuple is left out: excluded, or suppressed in each of its rows
--   __tally_sums__         the sum of each tally, and records
-- Columns: entity, qi_N, measured, and one for each tally.
SELECT
  entity,
  __quasi_identifiers__,
  __measured__ AS measured,
  __tally_sums__
FROM release
GROUP BY entity, __quasi_identifiers__
