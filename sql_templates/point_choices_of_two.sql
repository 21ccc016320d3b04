-- How many people have each pair of the points; none where there are too many pairs.
-- Slots:
--   __bound__  how many can be compared
-- Columns: target, matches.
SELECT
  one.target AS target,
  CAST(COUNT(*) AS BIGINT) AS matches
FROM point_shared AS one
JOIN point_shared AS two
  ON one.target = two.target AND one.person = two.person AND one.point < two.point
WHERE (SELECT choices FROM point_cost) <= __bound__
GROUP BY one.target, one.point, two.point
