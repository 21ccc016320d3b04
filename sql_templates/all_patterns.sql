-- The patterns of patterns.sql, and that of the classes that miss nothing.
-- Slots:
--   __present__  for each quasi-identifier present_N
--   __all__      for each quasi-identifier 1
-- Columns: pattern, present_N.
SELECT
  pattern,
  __present__
FROM patterns
UNION ALL
SELECT
  0 AS pattern,
  __all__
