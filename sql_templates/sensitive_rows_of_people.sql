-- Each person's class with each of their different values of one sensitive column, and one row more for each person.
-- Slots:
--   __values__     the column's code (0: missing), and that of its group
--   __no_values__  NULL for each of them
-- Columns: class, in_class (1 in the row that stands for the person), and those of the values (NULL there).
SELECT
  class,
  0 AS in_class,
  __values__
FROM (
  SELECT
    class,
    entity,
    __values__
  FROM tuples
  JOIN people_classes
    USING (entity)
  WHERE NOT tuple IS NULL
  GROUP BY class, entity, __values__
) AS person_value
UNION ALL
SELECT
  class,
  1 AS in_class,
  __no_values__
FROM people_classes
