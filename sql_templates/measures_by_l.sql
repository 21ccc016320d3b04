-- The classes by their number of distinct values, with the worst of each measure.
-- Slots:
--   __beyond__  for each measure with a limit, the classes and records beyond it
-- Columns: l_distinct, classes, records, l_entropy, alpha, recursive_c, unbounded, t_closeness, basic_beta, unattainable,
--   delta_present, absent, and those of the slot.
SELECT
  l_distinct,
  CAST(SUM(classes) AS BIGINT) AS classes,
  CAST(SUM(classes * records) AS BIGINT) AS records,
  MIN(l_entropy) AS l_entropy,
  MAX(alpha) AS alpha,
  MAX(recursive_c) AS recursive_c,
  MAX(unbounded) AS unbounded,
  MAX(t_closeness) AS t_closeness,
  MAX(basic_beta) AS basic_beta,
  MAX(unattainable) AS unattainable,
  MAX(delta_present) AS delta_present,
  MAX(absent) AS absent,
  __beyond__
FROM class_measures
GROUP BY l_distinct
