-- The values of one column, numbered from 1 in their order. A missing value has no number: it is 0 in coded.sql.
-- Slots:
--   __column__  the column
-- Columns: the column, and code.
SELECT
  __column__,
  ROW_NUMBER() OVER (ORDER BY __column__ NULLS FIRST) AS code
FROM (SELECT __column__ FROM release WHERE NOT __column__ IS NULL GROUP BY __column__) AS value
