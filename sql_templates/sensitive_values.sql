-- The values of a sensitive column in the whole table, in their order.
-- Columns: s, total (how often it stands in the table), whole (all of them together), distinct_values, position (from 1),
--   upto (how often the values up to this one stand in the table), before (the sum of upto over the values before),
--   all_upto (the sum of upto over all values).
SELECT
  s,
  total,
  whole,
  distinct_values,
  position,
  upto,
  SUM(upto) OVER (ORDER BY position NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - upto AS before,
  CAST(SUM(upto) OVER () AS DOUBLE) AS all_upto
FROM (
  SELECT
    s,
    CAST(total AS DOUBLE) AS total,
    CAST(SUM(total) OVER () AS DOUBLE) AS whole,
    CAST(COUNT(*) OVER () AS BIGINT) AS distinct_values,
    ROW_NUMBER() OVER (ORDER BY s NULLS FIRST) AS position,
    CAST(SUM(total) OVER (ORDER BY s NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE) AS upto
  FROM sensitive_totals
) AS value
