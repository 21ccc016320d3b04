-- The values of one column, and how many records have each.
-- Slots:
--   __value__  the column
--   __lost__   records whose value did not convert (0 where that cannot be)
-- Columns: value (NULL: missing), size (records), lost (records).
SELECT
  __value__ AS value,
  CAST(COUNT(*) AS BIGINT) AS size,
  CAST(__lost__ AS BIGINT) AS lost
FROM release
GROUP BY __value__
