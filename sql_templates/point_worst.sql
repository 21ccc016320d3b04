-- The worst that an attacker can do who knows the best of a target's points: targets by the fewest people who fit.
-- Slots:
--   __known__  how many points are known
-- Columns: arm, known, matches (the fewest people), targets.
SELECT
  'worst' AS arm,
  CAST(__known__ AS BIGINT) AS known,
  matches,
  CAST(COUNT(*) AS BIGINT) AS targets
FROM (SELECT target, MIN(matches) AS matches FROM point_worst_matches GROUP BY target) AS fewest
GROUP BY matches
