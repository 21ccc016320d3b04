-- How many people have each pair of sizes, where tuples do not partition people into classes.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: arm, in_release, size, population_size (NULL: left out), people, population_people, absent and fewer (people),
--   and one for each tally. The row with in_release 0 holds the population's own counts alone.
SELECT
  'record_sizes' AS arm,
  in_release,
  size,
  population_size,
  CAST(COUNT(*) AS BIGINT) AS people,
  CAST(SUM(population_people) AS BIGINT) AS population_people,
  CAST(SUM(absent) AS BIGINT) AS absent,
  CAST(SUM(fewer) AS BIGINT) AS fewer,
  __tally_sums__
FROM people
GROUP BY in_release, size, population_size
