-- How many values are left for each joint class that has any.
-- Columns: joint_id, left_values.
SELECT
  joint_id,
  CAST(COUNT(*) AS BIGINT) AS left_values
FROM composition_known
GROUP BY joint_id
