-- What is to be known of one column.
-- Slots:
--   __number__  the column's number
--   __matches__  records whose value has each shape, and those beyond what the HIPAA check allows
-- Columns: arm, number, records, missing, distinct_values (a missing one not counted), squares (the sum of the squared sizes,
-- a missing value being a value), unique_values (of one record), largest (records with the most frequent value), lost (records
-- whose value did not convert), and those of the shapes and checks.
SELECT
  'columns' AS arm,
  CAST(__number__ AS BIGINT) AS number,
  CAST(SUM(size) AS BIGINT) AS records,
  CAST(SUM(CASE WHEN value IS NULL THEN size ELSE 0 END) AS BIGINT) AS missing,
  CAST(SUM(CASE WHEN value IS NULL THEN 0 ELSE 1 END) AS BIGINT) AS distinct_values,
  CAST(SUM(size * size) AS BIGINT) AS squares,
  CAST(SUM(CASE WHEN size = 1 THEN 1 ELSE 0 END) AS BIGINT) AS unique_values,
  CAST(MAX(size) AS BIGINT) AS largest,
  CAST(SUM(lost) AS BIGINT) AS lost,
  __matches__
FROM column_values
