-- How many records have so many minimal sample uniques of each size.
-- Slots:
--   __sizes__  size_1, size_2, ...
-- Columns: arm, size_1, size_2, ..., records.
SELECT
  'msu_vectors' AS arm,
  __sizes__,
  CAST(COUNT(*) AS BIGINT) AS records
FROM msu_records
GROUP BY __sizes__
