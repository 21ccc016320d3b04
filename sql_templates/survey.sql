-- What the survey weights say, as one row: sums over the records, and the highest risk.
-- Columns: arm, weighted (records), weights_below_one (records), weight (the people they stand for), risk (the sum of the
--   records' risks: the expected re-identifications), highest_risk.
SELECT
  'survey' AS arm,
  CAST(SUM(weighted) AS BIGINT) AS weighted,
  CAST(SUM(weights_below_one) AS BIGINT) AS weights_below_one,
  CAST(SUM(weight) AS DOUBLE) AS weight,
  CAST(SUM(weighted * risk) AS DOUBLE) AS risk,
  CAST(MAX(risk) AS DOUBLE) AS highest_risk
FROM record_risks
