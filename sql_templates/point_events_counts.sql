-- How many events there are, and what is wrong with them.
-- Slots:
--   __left_out__    1 for an event that is left out, else 0
--   __tally_sums__  the sum of each tally
-- Columns: arm, events, left_out, and one for each tally.
SELECT
  'events' AS arm,
  CAST(COUNT(*) AS BIGINT) AS events,
  CAST(SUM(__left_out__) AS BIGINT) AS left_out,
  __tally_sums__
FROM release
