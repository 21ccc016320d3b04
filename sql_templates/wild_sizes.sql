-- How many records have each number of matches.
-- Slots:
--   __by__          the numbers of matches: in the release, and in the population
--   __tally_sums__  the sum of each tally
-- Columns: arm, size, missing, own_size (records of the release), and one for each tally; with a population population_size
--   and own_population_size (records of the population).
SELECT
  'record_sizes' AS arm,
  __matched__,
  missing,
  __own_sums__,
  __tally_sums__
FROM matches
GROUP BY __by__, missing
