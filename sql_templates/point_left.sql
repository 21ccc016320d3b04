-- The points that are searched for the worst choice; none where too many people have them.
-- Slots:
--   __bound__  how many people, over all of the points
-- Columns: target, point.
SELECT
  target,
  point
FROM point_open
WHERE (SELECT SUM(people) FROM point_open) <= __bound__
