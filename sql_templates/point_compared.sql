-- The same, to be compared; nobody where there are too many choices of their points.
-- Slots:
--   __bound__  how many choices
-- Columns: target, person, point.
SELECT
  target,
  person,
  point
FROM point_shared
WHERE (SELECT choices FROM point_cost) <= __bound__
