-- The points of the targets, in the order in which an attacker comes to know them.
-- Slots:
--   __draw__  a pseudo-random number of the person and the point, made of the seed
-- Columns: target, points (that they have), point, place (from 1).
SELECT
  person AS target,
  points,
  point,
  ROW_NUMBER() OVER (PARTITION BY person ORDER BY drawn NULLS FIRST, point NULLS FIRST) AS place
FROM (
  SELECT
    person,
    points,
    point,
    __draw__ AS drawn
  FROM point_people
  JOIN point_targets
    USING (person)
) AS drawn_points
