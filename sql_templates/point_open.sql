-- The points of the targets who are not singled out yet by fewer points, and have enough for more.
-- Slots:
--   __known__  how many points are known
-- Columns: target, point.
SELECT
  known.target AS target,
  known.point AS point
FROM point_known AS known
JOIN point_best AS best
  ON best.target = known.target
WHERE best.matches > 1 AND known.points >= __known__
