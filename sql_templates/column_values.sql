-- The values of one column, and how many records have each.
-- Slots:
--   __value__  the column
-- Columns: value (NULL: missing), size (records).
SELECT
  __value__ AS value,
  CAST(COUNT(*) AS BIGINT) AS size
FROM release
GROUP BY __value__
