-- A person's sizes are the smallest over their tuples; a tuple that the population table lacks, or has fewer of than
-- the release, counts with its size in the release. One row, with entity NULL and in_release 0, is the whole population.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: entity, in_release, size and population_size (NULL: left out), population_people (in the population's row: the
--   rows or tuples measured), absent and fewer (1 if it befell a tuple of theirs), and one for each tally.
SELECT
  entity,
  in_release,
  CASE WHEN in_release = 1 THEN MIN(CASE WHEN measured = 1 THEN size END) END AS size,
  CASE
    WHEN in_release = 1
    THEN MIN(CASE WHEN measured = 1 THEN CASE WHEN population_size < size THEN size ELSE population_size END END)
  END AS population_size,
  CASE WHEN in_release = 0 THEN SUM(measured) ELSE 0 END AS population_people,
  MAX(CASE WHEN measured = 1 AND population_size = 0 THEN 1 ELSE 0 END) AS absent,
  MAX(CASE WHEN measured = 1 AND population_size > 0 AND population_size < size THEN 1 ELSE 0 END) AS fewer,
  __tally_sums__
FROM pair_sizes
GROUP BY entity, in_release
