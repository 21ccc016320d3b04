-- How many people and points there are.
-- Columns: arm, people, person_points (the different points of each person), points (different ones).
SELECT
  'points' AS arm,
  CAST(COUNT(*) AS BIGINT) AS points,
  CAST(SUM(people) AS BIGINT) AS person_points,
  CAST((SELECT COUNT(*) FROM (SELECT person FROM point_people GROUP BY person) AS everybody) AS BIGINT) AS people
FROM point_sizes
