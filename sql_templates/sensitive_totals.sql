-- How often each value stands in the whole table.
-- Columns: s, total.
SELECT
  s,
  CAST(SUM(n * classes) AS BIGINT) AS total
FROM sensitive_pairs
GROUP BY s
