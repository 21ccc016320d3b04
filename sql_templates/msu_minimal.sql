-- The minimal sample uniques: subsets on which a record is unique, and on no subset of them. Uniqueness is monotone, so that it
-- is enough to look at one column fewer.
-- Columns: class_id, subset.
SELECT
  class_id,
  subset
FROM msu_marked
GROUP BY class_id, subset
HAVING SUM(alone) = 1 AND SUM(marked) = 0
