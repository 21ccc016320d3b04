-- How many people fit the points known of each target; the target is one of them.
-- Slots:
--   __matches__  match_2, match_3, ...: how many have each of the first 2, 3, ... points
-- Columns: target, and those of the slot.
SELECT
  target,
  __matches__
FROM point_fits
GROUP BY target
