-- The same with numbers for the person and for the point, which are the same on every engine.
-- Slots:
--   __point__  the number of the point
-- Columns: person, point.
SELECT
  entity AS person,
  CAST(__point__ AS BIGINT) AS point
FROM point_events
