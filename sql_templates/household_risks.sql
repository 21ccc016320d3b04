-- Each household with the risk that anybody in it is found: 1 - the product of 1 - risk over its records, by logarithms.
-- Small risks by the series of ln(1 - r) and of 1 - exp(-h), since a subtraction from 1 would cut digits off; below 0.01
-- the terms left out are below 2e-13 of the sum.
-- Columns: household, records, risk.
SELECT
  household,
  records,
  CASE
    WHEN certain = 1 OR h > 50 THEN 1
    WHEN h > 0.01 THEN 1 - EXP(-h)
    ELSE h * (1 - h / 2 * (1 - h / 3 * (1 - h / 4 * (1 - h / 5))))
  END AS risk
FROM (
  SELECT
    household,
    CAST(COUNT(*) AS BIGINT) AS records,
    MAX(CASE WHEN risk < 1 THEN 0 ELSE 1 END) AS certain,
    SUM(
      CASE
        WHEN risk >= 1 THEN 0
        WHEN risk > 0.01 THEN -LN(1 - risk)
        ELSE risk * (1 + risk / 2 * (1 + risk * 2 / 3 * (1 + risk * 3 / 4 * (1 + risk * 4 / 5 * (1 + risk * 5 / 6)))))
      END
    ) AS h
  FROM record_risks
  GROUP BY household
) AS members
