-- The records of the release, collapsed.
-- Slots:
--   __columns__  the numbers of the quasi-identifiers, and the values that are compared by distance
-- Columns: those of the slot, and size (records).
SELECT
  __columns__,
  CAST(COUNT(*) AS BIGINT) AS size
FROM attack_release
GROUP BY __columns__
