-- The sensitive values of each class's own records.
-- Slots:
--   __value__  the column's code, NULL where a missing value does not count
-- Columns: class, pattern, s (the value), n (records that have it), classes (1).
SELECT
  class,
  pattern,
  __value__ AS s,
  CAST(COUNT(*) AS BIGINT) AS n,
  1 AS classes
FROM sensitive_rows
JOIN (SELECT class, pattern FROM wild_classes) AS numbered
  USING (class)
WHERE NOT __value__ IS NULL
GROUP BY class, pattern, __value__
