-- Who fits how many of the points that an attacker knows of a target.
-- Slots:
--   __most__  the most points that are known
--   __fits__  fit_1, fit_2, ...: 1 where the person has each of the first 1, 2, ... points of the target, else 0
-- Columns: target, points (that the target has), and those of the slot.
SELECT
  target,
  points,
  __fits__
FROM point_known
JOIN point_people
  USING (point)
WHERE place <= __most__
GROUP BY target, points, person
