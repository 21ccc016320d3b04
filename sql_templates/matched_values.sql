-- The sensitive values of all records that match those of a class, put together as in matches.sql.
-- Columns: class, s, n.
SELECT
  class,
  s,
  CAST(SUM(n) AS BIGINT) AS n
FROM (
  SELECT class, s, n FROM wild_values WHERE pattern = 0
  UNION ALL
  SELECT class, s, n FROM meetings JOIN gap_values USING (number)
  UNION ALL
  SELECT class, s, n FROM own_groups JOIN whole_values USING (number)
) AS part
GROUP BY class, s
