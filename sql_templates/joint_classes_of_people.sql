-- Equivalence classes of people of release and population together.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: size (people of the release), population_size (people), measured, and one for each tally.
SELECT
  CAST(SUM(in_release) AS BIGINT) AS size,
  CAST(SUM(in_population) AS BIGINT) AS population_size,
  CASE WHEN person IS NULL THEN 0 ELSE 1 END AS measured,
  __tally_sums__
FROM everyone
GROUP BY person
