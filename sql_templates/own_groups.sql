-- The group that each class with missing values is in, as seen by the classes without.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
-- Columns: class, number.
SELECT
  class,
  number
FROM (
  SELECT
    class,
    0 AS own,
    pattern AS other,
    __quasi_identifiers__
  FROM wild_classes
  WHERE pattern > 0
) AS wild
JOIN gap_groups
  USING (own, other, __quasi_identifiers__)
