-- What is known of a sensitive column in the whole table: how many values it has, and how many records (of people: how
-- many people) miss it.
-- Slots:
--   __number__   which sensitive column, from 1
--   __missing__  1 for a row in which the value is missing
-- Columns: arm, number, distinct_values, missing_values.
SELECT
  'sensitive_whole' AS arm,
  __number__ AS number,
  CAST((SELECT COUNT(*) FROM sensitive_totals) AS BIGINT) AS distinct_values,
  CAST(SUM(__missing__) AS BIGINT) AS missing_values
FROM sensitive_rows
