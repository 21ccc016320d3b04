-- Targets by the people who have their rarest point, which is the worst that one point can do.
-- Columns: arm, points (that the target has; 3 for more), matches, targets, shared (people who have each of the points of the
-- targets, summed over all).
SELECT
  'rarest' AS arm,
  CAST(points AS BIGINT) AS points,
  fewest AS matches,
  CAST(COUNT(*) AS BIGINT) AS targets,
  CAST(SUM(shared) AS BIGINT) AS shared
FROM (SELECT CASE WHEN points > 3 THEN 3 ELSE points END AS points, fewest, shared FROM point_drawn) AS capped
GROUP BY points, fewest
