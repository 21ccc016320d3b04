-- The worst of each measure over the classes, as one row.
-- Slots:
--   __number__  which sensitive column, from 1
--   __beyond__  for each measure with a limit, the classes and records beyond it
-- Columns: arm, number, l_entropy, alpha, recursive_c, unbounded, t_closeness, basic_beta, unattainable, delta_present,
--   absent, and those of the slot.
SELECT
  'sensitive' AS arm,
  __number__ AS number,
  CAST(MIN(l_entropy) AS DOUBLE) AS l_entropy,
  CAST(MAX(alpha) AS DOUBLE) AS alpha,
  CAST(MAX(recursive_c) AS DOUBLE) AS recursive_c,
  CAST(MAX(unbounded) AS BIGINT) AS unbounded,
  CAST(MAX(t_closeness) AS DOUBLE) AS t_closeness,
  CAST(MAX(basic_beta) AS DOUBLE) AS basic_beta,
  CAST(MAX(unattainable) AS BIGINT) AS unattainable,
  CAST(MAX(delta_present) AS DOUBLE) AS delta_present,
  CAST(MAX(absent) AS BIGINT) AS absent,
  __beyond__
FROM measures_by_l
