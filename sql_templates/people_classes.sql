-- Each person with the number of their class.
-- Columns: entity, class.
SELECT
  entity,
  class
FROM people
JOIN person_numbers
  USING (person)
