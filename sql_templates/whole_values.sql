-- The sensitive values of the classes without missing values that each group matches.
-- Columns: number, s, n.
SELECT
  number,
  s,
  CAST(SUM(n) AS BIGINT) AS n
FROM (SELECT class, number FROM meetings WHERE own = 0) AS meeting
JOIN wild_values
  USING (class)
GROUP BY number, s
