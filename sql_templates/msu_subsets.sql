-- How many minimal sample uniques there are on each subset.
-- Columns: arm, subset, minimal_uniques.
SELECT
  'msu_subsets' AS arm,
  subset,
  CAST(COUNT(*) AS BIGINT) AS minimal_uniques
FROM msu_minimal
GROUP BY subset
