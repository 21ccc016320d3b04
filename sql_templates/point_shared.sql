-- Who has which of these points: the targets themselves and all others who share any.
-- Columns: target, person, point.
SELECT
  target,
  person,
  point
FROM point_open
JOIN point_people
  USING (point)
