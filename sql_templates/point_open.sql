-- The points of the targets who are not singled out yet, and have enough for a choice of so many.
-- Slots:
--   __known__  how many points are known
-- Columns: target, point, people (who have it), rarity (1: the rarest of the target's).
SELECT
  known.target AS target,
  known.point AS point,
  sizes.people AS people,
  ROW_NUMBER() OVER (PARTITION BY known.target ORDER BY sizes.people NULLS FIRST, known.point NULLS FIRST) AS rarity
FROM point_known AS known
JOIN point_best AS best
  ON best.target = known.target
JOIN point_sizes AS sizes
  ON sizes.point = known.point
WHERE best.matches > 1 AND known.points >= __known__
