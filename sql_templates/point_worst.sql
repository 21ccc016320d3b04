-- The worst that an attacker can do who knows the best of a target's points: targets by the fewest people who fit. Targets who
-- are singled out by fewer points are not among them.
-- Slots:
--   __known__  how many points are known
-- Columns: arm, known, points (that the target has; 3 for more), matches (the fewest people), targets.
SELECT
  'worst' AS arm,
  CAST(__known__ AS BIGINT) AS known,
  CAST(points AS BIGINT) AS points,
  matches,
  CAST(COUNT(*) AS BIGINT) AS targets
FROM (
  SELECT
    CASE WHEN points > 3 THEN 3 ELSE points END AS points,
    matches
  FROM point_best AS best
  JOIN point_targets AS own
    ON own.person = best.target
) AS capped
GROUP BY points, matches
