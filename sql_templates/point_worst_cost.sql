-- How many pairs, and how many triples, of points would have to be compared to find the worst.
-- Columns: arm, pairs, triples.
SELECT
  'worst_cost' AS arm,
  CAST(SUM(CAST(shared AS DOUBLE) * shared / 2) AS DOUBLE) AS pairs,
  CAST(SUM(CAST(shared AS DOUBLE) * shared * shared / 6) AS DOUBLE) AS triples
FROM (SELECT target, person, COUNT(*) AS shared FROM point_shared GROUP BY target, person) AS sharing
