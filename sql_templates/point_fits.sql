-- Whether they have the next point too. Nothing is kept for each of them: the rows pass through, one known point after another.
-- Slots:
--   __columns__  fit_2, fit_3, ...: 1 where the person has each of the first 2, 3, ... points of the target, or all where the
--                target has fewer, else 0; next and later points, as in the step before
-- Columns: target, points (that the target has), person, and those of the slot.
SELECT
  target,
  points,
  fitting.person AS person,
  __columns__
FROM point_fits AS fitting
LEFT JOIN point_held AS other
  ON other.person = fitting.person AND other.point = fitting.next
