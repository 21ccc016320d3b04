-- The records of one release with the number of their class.
-- Slots:
--   __quasi_identifiers__  the numbers of the quasi-identifiers that the release has
--   __columns__            ids and sensitive values
-- Columns: class_id and those of the slot.
SELECT
  class_id,
  __columns__
FROM composition_rows
JOIN composition_classes
  USING (__quasi_identifiers__)
