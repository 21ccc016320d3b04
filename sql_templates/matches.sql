-- Each class with the number of records that match it: its own and those of the classes with missing values, or, if it
-- misses something itself, those of the classes without and of the classes with missing values (itself among them).
-- Slots:
--   __columns__      the columns of the class, its own sizes as own_...
--   __matches__      the sum of the parts for each size
--   __whole_sizes__  the sizes
-- Columns: those.
SELECT
  __columns__,
  __matches__
FROM wild_classes AS wild
LEFT JOIN gap_sizes AS gap
  USING (class)
LEFT JOIN (SELECT class, __whole_sizes__ FROM own_groups JOIN whole_sizes USING (number)) AS whole
  USING (class)
