-- As categorical_shares.sql, in the order of the values: how much of the class lies up to each value, and where in the
-- table's order the next value of the class is.
-- Columns: class, records, filled, classes, n, total, whole, distinct_values, position, upto, before, all_upto (as in
--   sensitive_values.sql), cumulated (n up to this value), next_position and next_before (of the next value, NULL at the
--   last).
SELECT
  class,
  records,
  filled,
  classes,
  CAST(n AS DOUBLE) AS n,
  total,
  whole,
  distinct_values,
  position,
  upto,
  before,
  all_upto,
  CAST(
    SUM(n) OVER (
      PARTITION BY class
      ORDER BY position NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS BIGINT
  ) AS cumulated,
  MIN(position) OVER (
    PARTITION BY class
    ORDER BY position NULLS FIRST
    ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING
  ) AS next_position,
  MIN(before) OVER (
    PARTITION BY class
    ORDER BY position NULLS FIRST
    ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING
  ) AS next_before
FROM sensitive_pairs
JOIN sensitive_values
  USING (s)
