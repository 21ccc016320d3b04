-- The sensitive values of each class. Classes with one value are alike if their sizes and values are: they stand together,
-- as one class with a number below 0, so that a table of almost unique records has few rows here.
-- Slots:
--   __least__   the lowest code of the class, as in sensitive_classes.sql
--   __most__    the highest
--   __filled__  the values that count
-- Columns: class, records (of a class), filled (its values that count), classes (how many the row stands for), s (the value),
--   n (how often a class has it).
SELECT
  class,
  records,
  filled,
  CAST(1 AS BIGINT) AS classes,
  s,
  n
FROM mixed_values
UNION ALL
SELECT
  -ROW_NUMBER() OVER (ORDER BY records NULLS FIRST, __filled__ NULLS FIRST, __least__ NULLS FIRST) AS class,
  records,
  __filled__ AS filled,
  CAST(COUNT(*) AS BIGINT) AS classes,
  __least__ AS s,
  __filled__ AS n
FROM sensitive_classes
WHERE __least__ = __most__
GROUP BY records, __filled__, __least__
