-- How many people fit the points known of each target; the target is one of them.
-- Slots:
--   __matches__  match_1, match_2, ...: how many have each of the first 1, 2, ... points
-- Columns: target, points (that the target has), and those of the slot.
SELECT
  target,
  points,
  __matches__
FROM point_fits
GROUP BY target, points
