-- A person's key is the multiset of their rows' tuples: the numbers, sorted, as one text.
-- Slots:
--   __person__      that text
--   __tally_sums__  the sum of each tally
-- Columns: entity, person (NULL for somebody all of whose rows were left out), and one for each tally.
SELECT
  entity,
  __person__ AS person,
  __tally_sums__
FROM tuples
GROUP BY entity
