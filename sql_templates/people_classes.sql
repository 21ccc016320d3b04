-- Each person with the number of their class.
-- Columns: entity, class, in_class (its people).
SELECT
  entity,
  class,
  in_class
FROM people
JOIN person_numbers
  USING (person)
