-- How many records of the release fit what is known of each target that any fits.
-- Slots:
--   __exact__  known_N of the columns that are compared by equality
--   __near__   whether those that are compared by distance are near enough
-- Columns: target, matches (records).
SELECT
  target,
  CAST(SUM(size) AS BIGINT) AS matches
FROM attack_known
JOIN attack_candidates
  USING (mask, __exact__)
WHERE __near__ = 1
GROUP BY target
