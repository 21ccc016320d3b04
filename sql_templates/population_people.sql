-- The register by people: each person once for each tuple, however many rows they have.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __measured__           1, or 0 where the missing-value policy leaves the tuple out
--   __tally_sums__         the sum of each tally
-- Columns: entity, qi_N, measured, and one for each tally.
SELECT
  entity,
  __quasi_identifiers__,
  __measured__ AS measured,
  __tally_sums__
FROM population
GROUP BY entity, __quasi_identifiers__
