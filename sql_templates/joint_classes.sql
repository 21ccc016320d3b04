-- Equivalence classes of release and population together: one row a class, also those of the population alone.
-- Slots:
--   __kept__               the keys, where a later step compares classes
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __missing__            0, 1 or 2: no, some or every quasi-identifier of the class is missing
--   __tally_sums__         the sum of each tally
-- Columns: those kept, size (records of the release, 0 if none), population_size (records or people of the population, 0 if none),
--   missing, and one for each tally.
SELECT
  __kept__,
  CAST(SUM(in_release) AS BIGINT) AS size,
  CAST(SUM(in_population) AS BIGINT) AS population_size,
  __missing__ AS missing,
  __tally_sums__
FROM everyone
GROUP BY __quasi_identifiers__
