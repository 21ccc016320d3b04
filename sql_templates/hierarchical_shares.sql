-- As categorical_shares.sql, and the same for the groups of a map: each value carries its part of its group's distance.
-- Columns: class, records, filled, classes, n, total, whole, distinct_values, distance, and each value's part of its
--   group's: group_distance, group_total.
SELECT
  class,
  records,
  filled,
  classes,
  n,
  total,
  whole,
  distinct_values,
  ABS(n * whole - total * CAST(filled AS DOUBLE)) AS distance,
  ABS(group_n * whole - group_total * CAST(filled AS DOUBLE)) / of_group AS group_distance,
  group_total / of_group AS group_total
FROM (
  SELECT
    class,
    records,
    filled,
    classes,
    CAST(n AS DOUBLE) AS n,
    total,
    whole,
    distinct_values,
    group_total,
    CAST(SUM(n) OVER (PARTITION BY class, g) AS DOUBLE) AS group_n,
    CAST(COUNT(*) OVER (PARTITION BY class, g) AS DOUBLE) AS of_group
  FROM sensitive_pairs
  JOIN (
    SELECT
      s,
      g,
      total,
      whole,
      distinct_values,
      CAST(SUM(total) OVER (PARTITION BY g) AS DOUBLE) AS group_total
    FROM sensitive_values
    JOIN value_groups
      USING (s)
  ) AS grouped
    USING (s)
) AS share
