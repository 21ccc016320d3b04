-- Each person once for each of their tuples.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __tally_sums__         the sum of each tally, and records
-- Columns: entity, qi_N, and one for each tally.
SELECT
  entity,
  __quasi_identifiers__,
  __tally_sums__
FROM release
GROUP BY entity, __quasi_identifiers__
