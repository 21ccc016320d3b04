-- The values of each class by how often it has them, for recursive (c,l)-diversity with l above 2.
-- Slots:
--   __columns__  the columns of the shares
-- Columns: those, and rank (1: the most frequent).
SELECT
  __columns__,
  ROW_NUMBER() OVER (
    PARTITION BY class
    ORDER BY -n NULLS FIRST
  ) AS rank
FROM shares
