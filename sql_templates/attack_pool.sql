-- How many records the targets were drawn from.
-- Columns: arm, pool.
SELECT
  'pool' AS arm,
  CAST(COUNT(*) AS BIGINT) AS pool
FROM attack_pool
