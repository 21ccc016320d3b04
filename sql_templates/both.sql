-- The keys of the release and of the population, for numbers that both share.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
-- Columns: qi_N.
SELECT
  __quasi_identifiers__
FROM release
UNION ALL
SELECT
  __quasi_identifiers__
FROM population
