-- People of the release and of the population in one relation, by their multisets.
-- Slots:
--   __release_tallies__     the release's tallies, and zeros for the population's
--   __population_tallies__  zeros for the release's tallies, and the population's
-- Columns: person, in_release (0 or 1), in_population (0 or 1), and one for each tally.
SELECT
  person,
  1 AS in_release,
  0 AS in_population,
  __release_tallies__
FROM people
UNION ALL
SELECT
  person,
  0 AS in_release,
  1 AS in_population,
  __population_tallies__
FROM population_people
