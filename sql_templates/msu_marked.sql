-- Unique subsets of each record, and those that cannot be minimal, because the record is alone on one column fewer.
-- Slots:
--   __size__  the number of quasi-identifiers of a subset
--   __most__  how many a subset has at most
-- Columns: class_id, subset, alone (1 for a subset on which the record is unique), marked (1 for one that is not minimal).
SELECT
  class_id,
  subset,
  1 AS alone,
  0 AS marked
FROM msu_unique
UNION ALL
SELECT
  class_id,
  subset + bit AS subset,
  0 AS alone,
  1 AS marked
FROM msu_unique
CROSS JOIN msu_bits
WHERE subset % (bit + bit) < bit AND __size__ < __most__
