-- How many people have so many possible values left of a sensitive column.
-- Slots:
--   __number__  the number of the column
-- Columns: arm, number, left_values, same (1: their classes have the same values in every release), people.
SELECT
  'composition_sensitive' AS arm,
  CAST(__number__ AS BIGINT) AS number,
  left_values,
  CAST(same AS BIGINT) AS same,
  CAST(SUM(size) AS BIGINT) AS people
FROM composition_state
GROUP BY left_values, same
