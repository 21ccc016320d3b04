-- How many people have the rarest point of each target and one other: the pairs that mostly single out.
-- Columns: target, matches.
SELECT
  beside.target AS target,
  CAST(COUNT(*) AS BIGINT) AS matches
FROM point_beside AS beside
JOIN point_people AS own
  ON own.person = beside.person
JOIN point_open AS other
  ON other.target = beside.target AND other.point = own.point
WHERE other.rarity > 1
GROUP BY beside.target, own.point
