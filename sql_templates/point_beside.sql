-- Who has the rarest point of each target.
-- Columns: target, person.
SELECT
  target,
  person
FROM point_open
JOIN point_people
  USING (point)
WHERE rarity = 1
