-- Who has which of the points of a target: those of the target themselves and of all others who share any.
-- Columns: target, person, point.
SELECT
  target,
  person,
  point
FROM point_known
JOIN point_people
  USING (point)
