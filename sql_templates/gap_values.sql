-- The sensitive values of each group of classes with missing values.
-- Columns: number, s, n.
SELECT
  number,
  s,
  CAST(SUM(n) AS BIGINT) AS n
FROM gap_members
JOIN wild_values
  USING (class)
GROUP BY number, s
