-- Who has any point that is known of a target.
-- Slots:
--   __most__  the most points that are known
-- Columns: person, point.
SELECT
  person,
  point
FROM point_people
JOIN (SELECT point FROM point_known WHERE place <= __most__ GROUP BY point) AS known
  USING (point)
