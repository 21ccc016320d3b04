-- The sensitive values that are matched, as sensitive_pairs.sql has those of classes; records are the class's own.
-- Columns: class, records, filled, classes, s, n.
SELECT
  class,
  size AS records,
  CAST(SUM(n) OVER (PARTITION BY class) AS BIGINT) AS filled,
  CAST(1 AS BIGINT) AS classes,
  s,
  n
FROM matched_values
JOIN (SELECT class, size FROM wild_classes WHERE size > 0) AS own
  USING (class)
