-- How many people have each size, where tuples do not partition people into classes.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: arm, size (NULL: left out), people, and one for each tally.
SELECT
  'record_sizes' AS arm,
  size,
  CAST(COUNT(*) AS BIGINT) AS people,
  __tally_sums__
FROM people
GROUP BY size
