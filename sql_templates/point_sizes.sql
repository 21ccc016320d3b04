-- How many people have each point.
-- Columns: point, people.
SELECT
  point,
  CAST(COUNT(*) AS BIGINT) AS people
FROM point_people
GROUP BY point
