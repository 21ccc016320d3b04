-- The same where a missing value of the release matches anything: for each pattern of missing values, the frequencies of
-- what is left when the missing columns are masked (0). A table without missing values has no other 0, so no two patterns
-- meet; with some it is refused.
-- Slots:
--   __present__  present_N of the quasi-identifiers that the table has: 0 where the pattern misses it
--   __masked__   qi_N times present_N
-- Columns: qi_N, own (the frequency).
SELECT
  __masked__,
  CAST(SUM(wild.frequency) AS DOUBLE) AS own
FROM model AS wild
CROSS JOIN (SELECT __present__ FROM all_patterns GROUP BY __present__) AS looking
GROUP BY __masked__
