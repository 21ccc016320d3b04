-- N: how many people the register holds, each once, whatever the number of their tuples.
-- Columns: arm, people.
SELECT
  'population' AS arm,
  CAST(COUNT(*) AS BIGINT) AS people
FROM (SELECT entity FROM population_people WHERE measured = 1 GROUP BY entity) AS person
