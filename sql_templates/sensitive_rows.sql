-- The records that are measured: their class, and the codes of their sensitive values.
-- Slots:
--   __class__   the class's number; NULL for a record that is left out
--   __values__  s_1, s_2, ... (0: missing)
-- Columns: class, and those of the values.
SELECT
  class,
  __values__
FROM (SELECT __class__ AS class, __values__ FROM numbered) AS record
WHERE NOT class IS NULL
