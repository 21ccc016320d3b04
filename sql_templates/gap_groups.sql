-- Classes with missing values, grouped as a class of another pattern sees them: by what neither misses.
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __masked__             each as 0 where the other pattern misses it
--   __sizes__              the sizes of a class
--   __size_sums__          the sum of each size
-- Columns: own (the pattern of the class that looks), other (the pattern that is looked at), qi_N, number, and the sizes.
SELECT
  own,
  other,
  __quasi_identifiers__,
  ROW_NUMBER() OVER (ORDER BY own NULLS FIRST, other NULLS FIRST, __quasi_identifiers__ NULLS FIRST) AS number,
  __size_sums__
FROM (
  SELECT
    looking.pattern AS own,
    wild.pattern AS other,
    __masked__,
    __sizes__
  FROM wild_classes AS wild
  CROSS JOIN all_patterns AS looking
  WHERE wild.pattern > 0
) AS gap
GROUP BY own, other, __quasi_identifiers__
