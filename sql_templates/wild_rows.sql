-- The records with the number of their class, where a missing value matches anything.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ..., coded
--   __columns__            the other columns to keep
-- Columns: class, and those kept.
SELECT
  class,
  __columns__
FROM release
JOIN (SELECT class, __quasi_identifiers__ FROM wild_classes) AS numbered
  USING (__quasi_identifiers__)
