-- What a class holds of each sensitive column: whether it has more than one value is known before its values are counted.
-- Slots:
--   __records__  the number of records (people) of the class
--   __spreads__  for each column least_N and most_N (the lowest and highest code that counts, NULL if none does) and
--                filled_N (the values that count)
-- Columns: class, records, and those of the spreads.
SELECT
  class,
  CAST(__records__ AS BIGINT) AS records,
  __spreads__
FROM sensitive_rows
GROUP BY class
