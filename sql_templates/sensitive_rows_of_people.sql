-- Each person's class with each of their different values of one sensitive column.
-- Slots:
--   __values__  the column's code (0: missing), and that of its group
-- Columns: class, in_class (its people), and those of the values.
SELECT
  class,
  in_class,
  __values__
FROM (
  SELECT
    entity,
    class,
    in_class,
    __values__
  FROM tuples
  JOIN people_classes
    USING (entity)
  WHERE NOT tuple IS NULL
  GROUP BY entity, class, in_class, __values__
) AS person_value
