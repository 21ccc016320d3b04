-- The release's people by tuple, and the population, in one relation.
-- Slots:
--   __quasi_identifiers__    qi_1, qi_2, ...
--   __population_measured__  1, or 0 where the missing-value policy leaves the population's row or tuple out
--   __release_tallies__      the release's tallies, and zeros for the population's
--   __population_tallies__   zeros for the release's tallies, and the population's
-- Columns: entity (NULL in the population), qi_N, in_release (0 or 1), measured, and one for each tally.
SELECT
  entity,
  __quasi_identifiers__,
  1 AS in_release,
  measured,
  __release_tallies__
FROM pairs
UNION ALL
SELECT
  NULL AS entity,
  __quasi_identifiers__,
  0 AS in_release,
  __population_measured__ AS measured,
  __population_tallies__
FROM population
