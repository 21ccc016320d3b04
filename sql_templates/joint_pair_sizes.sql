-- How many different people of the release, and how many of the population, share each tuple.
-- Slots:
--   __partition__    qi_1, qi_2, ..., as texts where the engine cannot partition by their type
--   __row_tallies__  the tallies, with records, partly_missing and wholly_missing
-- Columns: entity, in_release, size, population_size, measured, and one for each tally.
SELECT
  entity,
  in_release,
  CAST(SUM(in_release * measured) OVER (PARTITION BY __partition__) AS BIGINT) AS size,
  CAST(SUM((1 - in_release) * measured) OVER (PARTITION BY __partition__) AS BIGINT) AS population_size,
  measured,
  __row_tallies__
FROM everyone
