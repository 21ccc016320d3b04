-- How many classes have each number of distinct sensitive values.
-- Slots:
--   __number__  which sensitive column, from 1
-- Columns: arm, number, l_distinct, classes, records.
SELECT
  'l_histogram' AS arm,
  __number__ AS number,
  CAST(l_distinct AS BIGINT) AS l_distinct,
  CAST(classes AS BIGINT) AS classes,
  CAST(records AS BIGINT) AS records
FROM measures_by_l
