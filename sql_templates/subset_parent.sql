-- The classes of fewer quasi-identifiers, rolled up from those of more.
-- Slots:
--   __kept__  the quasi-identifiers that are left
-- Columns: those kept, and size (records).
SELECT
  __kept__,
  CAST(SUM(size) AS BIGINT) AS size
FROM subset_classes
GROUP BY __kept__
