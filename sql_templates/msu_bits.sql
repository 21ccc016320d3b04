-- The number that stands for each quasi-identifier in a subset: 1, 2, 4, ... Written once for each of them.
-- Slots:
--   __bit__  the number
-- Columns: bit.
SELECT CAST(__bit__ AS BIGINT) AS bit
