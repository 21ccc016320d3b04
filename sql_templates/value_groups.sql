-- Which group each value of a sensitive column is in.
-- Slots:
--   __value__  the column's code
--   __group__  the code of its group
-- Columns: s, g.
SELECT
  __value__ AS s,
  MAX(__group__) AS g
FROM sensitive_rows
WHERE NOT __value__ IS NULL
GROUP BY __value__
