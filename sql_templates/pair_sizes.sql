-- How many different people share each tuple.
-- Slots:
--   __partition__    qi_1, qi_2, ..., as texts where the engine cannot partition by their type
--   __row_tallies__  the tallies, with records, partly_missing and wholly_missing
-- Columns: entity, size (people), measured, and one for each tally.
SELECT
  entity,
  CAST(SUM(measured) OVER (PARTITION BY __partition__) AS BIGINT) AS size,
  measured,
  __row_tallies__
FROM pairs
