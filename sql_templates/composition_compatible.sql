-- How many people have so many candidates.
-- Columns: arm, candidates, people.
SELECT
  'composition_unlinkable' AS arm,
  candidates,
  CAST(SUM(size) AS BIGINT) AS people
FROM composition_candidates
GROUP BY candidates
