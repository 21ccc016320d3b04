-- How many people have each single point of a target.
-- Columns: target, matches.
SELECT
  target,
  CAST(COUNT(*) AS BIGINT) AS matches
FROM point_shared
GROUP BY target, point
