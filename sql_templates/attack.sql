-- How many targets were matched with so many records, so many of them rightly.
-- Columns: arm, matches, rightly, targets.
SELECT
  'attack' AS arm,
  CAST(matches AS BIGINT) AS matches,
  CAST(rightly AS BIGINT) AS rightly,
  CAST(COUNT(*) AS BIGINT) AS targets
FROM attack_outcomes
GROUP BY matches, rightly
