-- How many people have each triple of the points.
-- Columns: target, matches.
SELECT
  one.target AS target,
  CAST(COUNT(*) AS BIGINT) AS matches
FROM point_compared AS one
JOIN point_compared AS two
  ON one.target = two.target AND one.person = two.person AND one.point < two.point
JOIN point_compared AS three
  ON two.target = three.target AND two.person = three.person AND two.point < three.point
GROUP BY one.target, one.point, two.point, three.point
