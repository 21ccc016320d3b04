-- The classes of people, numbered.
-- Columns: person (the multiset), class, in_class (its people).
SELECT
  person,
  ROW_NUMBER() OVER (ORDER BY person NULLS FIRST) AS class,
  CAST(COUNT(*) AS BIGINT) AS in_class
FROM people
WHERE NOT person IS NULL
GROUP BY person
