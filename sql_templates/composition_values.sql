-- The different sensitive values of each class of one release.
-- Slots:
--   __value__     the number of the value
--   __counted__   1 for a value that counts, 0 for a missing one that is ignored
-- Columns: class_id, value, n (records).
SELECT
  class_id,
  __value__ AS value,
  CAST(COUNT(*) AS BIGINT) AS n
FROM composition_members
WHERE __counted__ = 1
GROUP BY class_id, __value__
