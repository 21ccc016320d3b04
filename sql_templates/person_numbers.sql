-- The classes of people, numbered.
-- Columns: person (the multiset), class, people (of the class).
SELECT
  person,
  ROW_NUMBER() OVER (ORDER BY person NULLS FIRST) AS class,
  CAST(COUNT(*) AS BIGINT) AS people
FROM people
WHERE NOT person IS NULL
GROUP BY person
