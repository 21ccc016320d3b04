-- Each record with its household, and the number and weight of the records that match it, where a missing value matches
-- anything.
-- Columns: household, weighted (records), weight (their sum).
SELECT
  household,
  weighted,
  weight
FROM (SELECT class, household FROM wild_rows WHERE NOT weight IS NULL) AS member
JOIN (SELECT class, weighted, weight FROM matches) AS matched
  USING (class)
