-- The smallest class of one release, and whether the values of every class are all different.
-- Slots:
--   __number__   the number of the sensitive column
--   __release__  0 for this release, 1, 2, ... for earlier ones
-- Columns: arm, number, release_number, smallest, repeated (records whose value another of their class has too).
SELECT
  'composition_invariance' AS arm,
  CAST(__number__ AS BIGINT) AS number,
  CAST(__release__ AS BIGINT) AS release_number,
  CAST(MIN(own_values) AS BIGINT) AS smallest,
  CAST(SUM(records - own_values) AS BIGINT) AS repeated
FROM composition_counts
