-- The minimal sample uniques of each record that has one, by their size.
-- Slots:
--   __counts__  size_1, size_2, ...: how many it has of each size
-- Columns: class_id, size_1, size_2, ...
SELECT
  class_id,
  __counts__
FROM msu_minimal
GROUP BY class_id
