-- The classes where a missing value matches anything: each with a number, and with its pattern, which says what it misses.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ..., coded: 0 is a missing value
--   __pattern__            a number with a bit for each quasi-identifier that is missing
--   __sizes__              the columns that are added up over matching classes
--   __kept__               the tallies, and what else a class has
-- Columns: class, qi_N, pattern, the sizes, and those kept.
SELECT
  ROW_NUMBER() OVER (ORDER BY __quasi_identifiers__ NULLS FIRST) AS class,
  __quasi_identifiers__,
  __pattern__ AS pattern,
  __sizes__,
  __kept__
FROM classes
