-- The relative frequency of each combination of a table of a population model: generalised values meet.
-- Slots:
--   __quasi_identifiers__  qi_N, those that the table has, coded
-- Columns: qi_N, own (the frequency).
SELECT
  __quasi_identifiers__,
  CAST(SUM(frequency) AS DOUBLE) AS own
FROM model
GROUP BY __quasi_identifiers__
