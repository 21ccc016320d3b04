-- What there is of one release: records that are measured, ids that occur in several of them, and records without an id.
-- Slots:
--   __release__  0 for this release, 1, 2, ... for earlier ones
--   __link__     the number of the id
-- Columns: arm, release_number, records, repeated (records whose id is that of others too), unlinked.
SELECT
  'composition_releases' AS arm,
  CAST(__release__ AS BIGINT) AS release_number,
  CAST(SUM(n) AS BIGINT) AS records,
  CAST(SUM(CASE WHEN link > 0 AND n > 1 THEN n ELSE 0 END) AS BIGINT) AS repeated,
  CAST(SUM(CASE WHEN link = 0 THEN n ELSE 0 END) AS BIGINT) AS unlinked
FROM (SELECT __link__ AS link, COUNT(*) AS n FROM composition_members GROUP BY __link__) AS ids
