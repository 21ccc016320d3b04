-- Each record with its household, and the size and weight of its class, found by a window: a join of records and classes
-- would have to match missing values.
-- Slots:
--   __partition__  qi_1, qi_2, ..., as texts where the engine cannot partition by their type; or the person's multiset
-- Columns: household, weighted (records of the class), weight (their sum).
SELECT
  household,
  CAST(COUNT(*) OVER (PARTITION BY __partition__) AS BIGINT) AS weighted,
  CAST(SUM(weight) OVER (PARTITION BY __partition__) AS DOUBLE) AS weight
FROM release
WHERE NOT weight IS NULL
