-- The records of the release as somebody sees them who knows the columns of a mask, and how many look alike.
-- Slots:
--   __seen__    known_N: the number of the value, -1 where the mask lacks the column; other_N and value_N, of columns that are
--               compared by distance
--   __groups__  the same, to group by
-- Columns: mask, those of the slot, and size (records).
SELECT
  mask,
  __seen__,
  CAST(SUM(size) AS BIGINT) AS size
FROM attack_classes
CROSS JOIN attack_masks
GROUP BY mask, __groups__
