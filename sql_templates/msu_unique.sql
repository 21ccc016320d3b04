-- Which records are alone on which subsets of the quasi-identifiers.
-- Slots:
--   __subset__  the number of the subset: the sum of 1, 2, 4, ... for qi_1, qi_2, qi_3, ... that are in it
--   __sets__    the subsets, each a list of quasi-identifiers
-- Columns: class_id (of the record), subset.
SELECT
  __subset__ AS subset,
  CAST(MIN(class_id) AS BIGINT) AS class_id
FROM msu_numbered
GROUP BY GROUPING SETS (__sets__)
HAVING SUM(size) = 1
