-- Each value of each class beside its number in the table. What is compared is n/filled with total/whole; multiplied by both
-- denominators, the difference is a whole number, exact as long as it is below 2 ** 53.
-- Columns: class, records, filled, classes, n, total, whole, distinct_values, distance (that difference).
SELECT
  class,
  records,
  filled,
  classes,
  CAST(n AS DOUBLE) AS n,
  total,
  whole,
  distinct_values,
  ABS(CAST(n AS DOUBLE) * whole - total * CAST(filled AS DOUBLE)) AS distance
FROM sensitive_pairs
JOIN sensitive_values
  USING (s)
