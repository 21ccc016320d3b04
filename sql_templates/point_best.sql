-- The fewest people who have so many points of each target, the best choice of them.
-- Columns: target, matches.
SELECT
  target,
  MIN(matches) AS matches
FROM point_choices
GROUP BY target
