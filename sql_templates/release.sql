-- The records to measure (or those of the population): generalised and filtered, one row a record.
-- Slots:
--   __source__             the table, view, query or file
--   __quasi_identifiers__  the generalised columns, qi_1, qi_2, ...
--   __entity__             the person's id, where people are counted
--   __sensitive__          s_1, s_2, ...: the sensitive values; g_N: the group of s_N, with a map
--   __survey__             weight, unconverted (1 for a weight that is no number) and household, where they are asked for
--   __tallies__            0/1 flags to be summed: values that did not convert, rows without an entity id
-- Columns: qi_N, entity, s_N, g_N, those of the survey, and one for each tally.
SELECT
  __quasi_identifiers__,
  __entity__,
  __sensitive__,
  __survey__,
  __tallies__
FROM __source__ AS source
