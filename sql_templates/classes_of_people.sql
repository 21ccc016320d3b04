-- Equivalence classes of people: those with the same multiset of rows.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: size (people), measured (0 for those left out), and one for each tally.
SELECT
  CAST(COUNT(*) AS BIGINT) AS size,
  CASE WHEN person IS NULL THEN 0 ELSE 1 END AS measured,
  __tally_sums__
FROM people
GROUP BY person
