-- What is to be known of the classes of each subset.
-- Slots:
--   __at_risk__  1 for a class that is smaller than the threshold allows, else 0
-- Columns: arm, subset (as in subset_groups.sql), classes, records, squares (the sum of the squared sizes), sample_uniques,
-- smallest and largest class, records_at_risk.
SELECT
  'subsets' AS arm,
  subset,
  CAST(COUNT(*) AS BIGINT) AS classes,
  CAST(SUM(size) AS BIGINT) AS records,
  CAST(SUM(size * size) AS BIGINT) AS squares,
  CAST(SUM(CASE WHEN size = 1 THEN 1 ELSE 0 END) AS BIGINT) AS sample_uniques,
  CAST(MIN(size) AS BIGINT) AS smallest,
  CAST(MAX(size) AS BIGINT) AS largest,
  CAST(SUM(CASE WHEN __at_risk__ = 1 THEN size ELSE 0 END) AS BIGINT) AS records_at_risk
FROM subset_groups
GROUP BY subset
