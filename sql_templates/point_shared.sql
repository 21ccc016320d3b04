-- Who has which of these points: the targets themselves and all others who share any.
-- Columns: target, person, point.
SELECT
  target,
  person,
  point
FROM point_left
JOIN point_people
  USING (point)
