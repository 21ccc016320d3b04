-- What each group of classes with missing values matches among the classes without.
-- Slots:
--   __size_sums__  the sum of each size of the classes
-- Columns: number (of the group), and the sizes.
SELECT
  number,
  __size_sums__
FROM meetings
WHERE own = 0
GROUP BY number
