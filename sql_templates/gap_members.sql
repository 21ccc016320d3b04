-- The classes with missing values that are in each group.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __masked__             each as 0 where the other pattern misses it
-- Columns: class, number (of the group).
SELECT
  class,
  number
FROM (
  SELECT
    class,
    looking.pattern AS own,
    wild.pattern AS other,
    __masked__
  FROM wild_classes AS wild
  CROSS JOIN all_patterns AS looking
  WHERE wild.pattern > 0
) AS gap
JOIN gap_groups
  USING (own, other, __quasi_identifiers__)
