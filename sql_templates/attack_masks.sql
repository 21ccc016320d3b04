-- Which columns are known of any target.
-- Columns: mask.
SELECT
  mask
FROM attack_known
GROUP BY mask
