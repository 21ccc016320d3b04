-- Who is in an earlier release, by the id that links it with this one. An id of several of its records is none.
-- Slots:
--   __link__  the number of the id
-- Columns: link, class_id.
SELECT
  __link__ AS link,
  CAST(MIN(class_id) AS BIGINT) AS class_id
FROM composition_members
WHERE __link__ > 0
GROUP BY __link__
