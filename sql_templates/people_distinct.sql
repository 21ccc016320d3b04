-- A person's size is the smallest over their tuples: that tuple is what gives them away.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: entity, size (NULL for somebody all of whose tuples were left out), and one for each tally.
SELECT
  entity,
  MIN(CASE WHEN measured = 1 THEN size END) AS size,
  __tally_sums__
FROM pair_sizes
GROUP BY entity
