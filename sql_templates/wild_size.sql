-- How much there is to compare under wildcard: nothing is, where it is too much.
-- Columns: arm, wild_classes, wild_patterns.
SELECT
  'wildcard' AS arm,
  CAST(COUNT(*) AS BIGINT) AS wild_classes,
  CAST(COUNT(DISTINCT pattern) AS BIGINT) AS wild_patterns
FROM wild_classes
