-- The records that are measured, with numbers in the place of values.
-- Slots:
--   __columns__   the numbers of the quasi-identifiers, ids, sensitive values, and values that are compared by distance
--   __measured__  1, or 0 for a record that is left out
-- Columns: those of the slot.
SELECT
  __columns__
FROM release
WHERE __measured__ = 1
