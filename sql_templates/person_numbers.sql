-- The classes of people, numbered.
-- Columns: person (the multiset), class.
SELECT
  person,
  ROW_NUMBER() OVER (ORDER BY person NULLS FIRST) AS class
FROM people
WHERE NOT person IS NULL
GROUP BY person
