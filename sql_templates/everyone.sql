-- Release and population in one relation. UNION ALL and GROUP BY match missing values with missing values and need no
-- join: a NULL-safe join is a nested loop on PostgreSQL.
-- Slots:
--   __quasi_identifiers__   qi_1, qi_2, ...
--   __release_tallies__     the release's tallies, and zeros for the population's
--   __population_tallies__  zeros for the release's tallies, and the population's
-- Columns: qi_N, in_release (0 or 1), in_population (0 or 1), and one for each tally.
SELECT
  __quasi_identifiers__,
  1 AS in_release,
  0 AS in_population,
  __release_tallies__
FROM release
UNION ALL
SELECT
  __quasi_identifiers__,
  0 AS in_release,
  1 AS in_population,
  __population_tallies__
FROM population
