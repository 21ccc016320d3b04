-- What the households add, as one row.
-- Columns: arm, risk (summed over the records, each with the risk of its household).
SELECT
  'households' AS arm,
  CAST(SUM(records * risk) AS DOUBLE) AS risk
FROM household_risks
