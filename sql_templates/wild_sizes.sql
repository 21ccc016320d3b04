-- How many records have each number of matches.
-- Slots:
--   __by__          size (matches in the release), and population_size (in the population)
--   __own_sums__    own_size (records of the release), and own_population_size (of the population)
--   __tally_sums__  the sum of each tally
-- Columns: arm, missing (as in classes.sql), and those of the slots, with one for each tally.
SELECT
  'record_sizes' AS arm,
  __by__,
  missing,
  __own_sums__,
  __tally_sums__
FROM matches
GROUP BY __by__, missing
