-- The targets: people in the order of a draw, as many as asked for.
-- Slots:
--   __draw__     a pseudo-random number of the person, made of the seed
--   __targets__  how many
-- Columns: person, points (that they have).
SELECT
  person,
  points
FROM (
  SELECT
    person,
    points,
    ROW_NUMBER() OVER (ORDER BY drawn NULLS FIRST, person NULLS FIRST) AS place
  FROM (
    SELECT
      person,
      CAST(COUNT(*) AS BIGINT) AS points,
      __draw__ AS drawn
    FROM point_people
    GROUP BY person
  ) AS people
) AS ranked
WHERE place <= __targets__
