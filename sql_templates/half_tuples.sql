-- The combinations of half of the quasi-identifiers, numbered: two such numbers make a tuple's, whatever the number of
-- columns and values.
-- Slots:
--   __half__  some of qi_1, qi_2, ..., coded
-- Columns: those of the half, and code.
SELECT
  __half__,
  ROW_NUMBER() OVER (ORDER BY __half__ NULLS FIRST) AS code
FROM coded
GROUP BY __half__
