-- What each class matches among the classes with missing values.
-- Slots:
--   __size_sums__  the sum of each size of the groups
-- Columns: class, and the sizes.
SELECT
  class,
  __size_sums__
FROM meetings
GROUP BY class
