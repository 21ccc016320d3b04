-- The points of each person, each once: a point is one combination of the columns of an event.
-- Slots:
--   __quasi_identifiers__  the columns of a point, qi_1, qi_2, ...
--   __measured__           1, or 0 for an event that is left out
-- Columns: entity, qi_N.
SELECT
  entity,
  __quasi_identifiers__
FROM release
GROUP BY entity, __quasi_identifiers__
HAVING SUM(__measured__) > 0
