-- The collapsed classes, numbered: a class of one record is that record.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __order__              the same, in a fixed order of the classes
-- Columns: qi_N, size (records), class_id.
SELECT
  __quasi_identifiers__,
  size,
  CAST(ROW_NUMBER() OVER (ORDER BY __order__ NULLS FIRST) AS BIGINT) AS class_id
FROM subset_classes
