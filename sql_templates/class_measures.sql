-- The measures of each class (or of several that are alike): l-diversity (Machanavajjhala et al. 2007), alpha (Wong et al.
-- 2006), t-closeness (Li et al. 2007), beta-likeness (Cao & Karras 2012), delta-disclosure (Brickell & Shmatikov 2008).
-- Slots:
--   __tail__         the sum of the counts from the l-th most frequent value on
--   __t_closeness__  from the distances
-- Columns: classes, records (of one), l_distinct, l_entropy, alpha, recursive_c (NULL where unbounded is 1), t_closeness,
--   basic_beta, unattainable (1 if some value's gain is above -ln p), delta_present, absent (1 if a value is).
SELECT
  classes,
  records,
  l_distinct,
  EXP(LN(counted) - n_ln_n / counted) AS l_entropy,
  most / counted AS alpha,
  CASE WHEN tail > 0 THEN most / tail END AS recursive_c,
  CASE WHEN tail > 0 THEN 0 ELSE 1 END AS unbounded,
  t_closeness,
  basic_beta,
  unattainable,
  delta_present,
  CASE WHEN l_distinct < distinct_values THEN 1 ELSE 0 END AS absent
FROM (
  SELECT
    MAX(classes) AS classes,
    MAX(records) AS records,
    CAST(MAX(filled) AS DOUBLE) AS counted,
    COUNT(*) AS l_distinct,
    MAX(distinct_values) AS distinct_values,
    SUM(n * LN(n)) AS n_ln_n,
    MAX(n) AS most,
    __tail__ AS tail,
    __t_closeness__ AS t_closeness,
    MAX((n * whole - total * filled) / (total * filled)) AS basic_beta,
    MAX(
      CASE WHEN (n * whole - total * filled) / (total * filled) > 1e-12 - LN(total / whole) THEN 1 ELSE 0 END
    ) AS unattainable,
    MAX(ABS(LN(n * whole / (total * filled)))) AS delta_present
  FROM shares
  GROUP BY class
) AS measured
