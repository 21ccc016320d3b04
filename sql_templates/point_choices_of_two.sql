-- How many people have each pair of the points.
-- Columns: target, matches.
SELECT
  one.target AS target,
  CAST(COUNT(*) AS BIGINT) AS matches
FROM point_compared AS one
JOIN point_compared AS two
  ON one.target = two.target AND one.person = two.person AND one.point < two.point
GROUP BY one.target, one.point, two.point
