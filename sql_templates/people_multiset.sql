-- A person's key is the multiset of their rows' tuples: the texts, sorted (bytewise, where the engine could do otherwise)
-- and joined.
-- Slots:
--   __tally_sums__  the sum of each tally
-- Columns: entity, person (NULL for somebody all of whose rows were left out), and one for each tally.
SELECT
  entity,
  STRING_AGG(tuple, '|' ORDER BY tuple NULLS FIRST) AS person,
  __tally_sums__
FROM tuples
GROUP BY entity
