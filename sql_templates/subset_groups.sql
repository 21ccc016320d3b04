-- The classes of several subsets of the quasi-identifiers at once, rolled up from the classes of a set that holds them all.
-- Slots:
--   __subset__  the number of the subset: the sum of 1, 2, 4, ... for qi_1, qi_2, qi_3, ... that are in it
--   __sets__    the subsets, each a list of quasi-identifiers
-- Columns: subset, size (records).
SELECT
  __subset__ AS subset,
  CAST(SUM(size) AS BIGINT) AS size
FROM subset_classes
GROUP BY GROUPING SETS (__sets__)
