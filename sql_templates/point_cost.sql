-- How many choices of so many points would be compared to find the worst.
-- Slots:
--   __choices__  the number of choices out of the shared points of one person
-- Columns: choices.
SELECT
  COALESCE(SUM(__choices__), 0) AS choices
FROM (SELECT target, person, CAST(COUNT(*) AS DOUBLE) AS shared FROM point_shared GROUP BY target, person) AS sharing
