-- Each class with the groups of classes with missing values that it matches: one for each pattern, at most.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __masked__             each as 0 where the pattern misses it
--   __own_sizes__          the sizes of the class, as own_...
--   __own_names__          the same, by their new names
--   __sizes__              the sizes of the group
-- Columns: class, own (the pattern of the class), number (of the group), and those of the slots.
SELECT
  class,
  own,
  number,
  __own_names__,
  __sizes__
FROM (
  SELECT
    class,
    wild.pattern AS own,
    looked.pattern AS other,
    __masked__,
    __own_sizes__
  FROM wild_classes AS wild
  CROSS JOIN patterns AS looked
) AS seen
JOIN gap_groups
  USING (own, other, __quasi_identifiers__)
