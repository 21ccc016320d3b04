-- What the survey weights say, as one row: sums over the records, and the highest risk.
-- Slots:
--   __records__  the records of a class
--   __weight__   the sum of their weights
-- Columns: arm, weighted (records), weights_below_one (records), weight (the people they stand for), risk (the sum of the
--   records' risks: the expected re-identifications), highest_risk.
SELECT
  'survey' AS arm,
  CAST(SUM(__records__) AS BIGINT) AS weighted,
  CAST(SUM(weights_below_one) AS BIGINT) AS weights_below_one,
  CAST(SUM(__weight__) AS DOUBLE) AS weight,
  CAST(SUM(__records__ * risk) AS DOUBLE) AS risk,
  CAST(MAX(CASE WHEN __records__ > 0 THEN risk END) AS DOUBLE) AS highest_risk
FROM record_risks
