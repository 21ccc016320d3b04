-- Each person's class with each of their different values of one sensitive column.
-- Slots:
--   __values__  the column's code (0: missing), and that of its group
-- Columns: class, people (of the class), and those of the values.
SELECT
  class,
  people,
  __values__
FROM (
  SELECT
    entity,
    class,
    people,
    __values__
  FROM tuples
  JOIN people_classes
    USING (entity)
  WHERE NOT tuple IS NULL
  GROUP BY entity, class, people, __values__
) AS person_value
