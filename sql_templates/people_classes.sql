-- Each person with the number of their class.
-- Columns: entity, class, people (of the class).
SELECT
  entity,
  class,
  people
FROM people
JOIN person_numbers
  USING (person)
