-- The records of this release with the number of their class in an earlier one, 0 where they are not in it.
-- Slots:
--   __columns__  the columns so far
--   __earlier__  class_1, class_2, ...: the class in that release
--   __link__     the number of the id that links the two
-- Columns: those so far, and that of the slot.
SELECT
  __columns__,
  __earlier__
FROM composition_before AS before
LEFT JOIN composition_other AS other
  ON __link__ = other.link
