-- How many different values each class of one release has.
-- Columns: class_id, own_values, records (with a value that counts).
SELECT
  class_id,
  CAST(COUNT(*) AS BIGINT) AS own_values,
  CAST(SUM(n) AS BIGINT) AS records
FROM composition_values
GROUP BY class_id
