-- The values of the classes that have more than one, counted.
-- Slots:
--   __value__   the column's code, NULL where a missing value does not count
--   __least__   the lowest code of the class, as in sensitive_classes.sql
--   __most__    the highest
--   __filled__  the values that count
-- Columns: class, records, filled, s (the value), n (records of the class that have it).
SELECT
  class,
  records,
  __filled__ AS filled,
  __value__ AS s,
  CAST(COUNT(*) AS BIGINT) AS n
FROM sensitive_rows
JOIN sensitive_classes
  USING (class)
WHERE __least__ < __most__ AND NOT __value__ IS NULL
GROUP BY class, records, __filled__, __value__
