-- The classes of one release, numbered from 1.
-- Slots:
--   __quasi_identifiers__  the numbers of the quasi-identifiers that the release has
-- Columns: qi_N (those of the slot), size (records), class_id.
SELECT
  __quasi_identifiers__,
  CAST(COUNT(*) AS BIGINT) AS size,
  CAST(ROW_NUMBER() OVER (ORDER BY __quasi_identifiers__ NULLS FIRST) AS BIGINT) AS class_id
FROM composition_rows
GROUP BY __quasi_identifiers__
