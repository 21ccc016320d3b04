-- How many records of the release fit what is known of each target, and are the target's by the true id.
-- Slots:
--   __fits__  whether a record fits
-- Columns: target, rightly (records).
SELECT
  target,
  CAST(COUNT(*) AS BIGINT) AS rightly
FROM attack_known
JOIN attack_release
  USING (entity)
WHERE __fits__ = 1 AND entity > 0
GROUP BY target
