-- Who has the first point that is known of each target; nobody where they are too many to go through.
-- Slots:
--   __next__   the number of the second point
--   __later__  the numbers of those after it
--   __bound__  how many can be gone through
-- Columns: target, points (that the target has), person, next, and those of the slot.
SELECT
  target,
  points,
  person,
  __next__ AS next,
  __later__
FROM point_drawn AS drawn
JOIN point_held AS held
  ON held.point = drawn.point_1
WHERE (SELECT SUM(first) FROM point_drawn) <= __bound__
