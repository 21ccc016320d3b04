-- How many values are left for each joint class, and whether its classes have the same values in every release.
-- Slots:
--   __columns__  the columns so far
--   __same__     1 as long as the classes have the same values
--   __earlier__  the class in the next release
-- Columns: those so far, and same.
SELECT
  __columns__,
  __same__ AS same
FROM composition_state AS state
LEFT JOIN composition_other AS other
  ON __earlier__ = other.class_id
