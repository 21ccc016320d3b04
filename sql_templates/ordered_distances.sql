-- The distance between the cumulated shares of class and table, summed over the table's values from each value of the class
-- to before its next one (and, at its first value, over those before it). As in categorical_shares.sql, multiplied by both
-- denominators.
-- Columns: class, records, filled, classes, n, total, whole, distinct_values, distance.
SELECT
  class,
  records,
  filled,
  classes,
  n,
  total,
  whole,
  distinct_values,
  CASE WHEN cumulated = n THEN before * counted ELSE 0 END
  + CASE
    WHEN next_position IS NULL
    THEN counted * (whole * (distinct_values - position + 1) - (all_upto - before))
    WHEN next_position = position + 1
    THEN ABS(cumulated * whole - upto * counted)
    ELSE cumulated * whole * (2 * crossed - position - next_position + 2) - counted * (2 * crossed_upto - before - next_before)
  END AS distance
FROM (
  SELECT
    class,
    records,
    filled,
    CAST(filled AS DOUBLE) AS counted,
    classes,
    n,
    total,
    whole,
    distinct_values,
    position,
    upto,
    before,
    all_upto,
    CAST(cumulated AS DOUBLE) AS cumulated,
    next_position,
    next_before,
    CASE
      WHEN reached < position THEN position - 1
      WHEN reached >= next_position THEN next_position - 1
      ELSE reached
    END AS crossed,
    CASE
      WHEN reached < position THEN before
      WHEN reached >= next_position THEN next_before
      ELSE reached_upto
    END AS crossed_upto
  FROM ordered_shares
  LEFT JOIN ordered_crossings
    USING (cumulated, filled)
) AS share
