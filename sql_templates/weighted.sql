-- The release with its survey weights checked. A row that is left out has no weight and no household, and is in no count
-- of weights. The later steps read this one in the place of release.sql, and carry the weight beside the tallies: classes
-- have weighted (their records with a weight), weight (its sum) and weights_below_one (how many).
-- Slots:
--   __quasi_identifiers__  qi_1, qi_2, ...
--   __entity__             the person's id, where people are counted
--   __household__          the household's id, where it is asked for
--   __household_checked__  the same, NULL for a row that is left out, and household_missing (0 or 1)
--   __sensitive__          the sensitive values
--   __tallies__            the tallies so far
--   __measured__           1, or 0 for a row that is left out: excluded, or wholly suppressed
-- Columns: qi_N, entity, household (with household_missing), one for each tally, weight (NULL where it cannot be used), and
--   why it cannot, each 0 or 1: weight_missing, weight_unconverted (a text that is no number), weight_not_positive,
--   weight_not_finite (or above 1e15).
SELECT
  __quasi_identifiers__,
  __entity__,
  __household_checked__,
  __sensitive__,
  __tallies__,
  CASE WHEN measured = 1 AND weight > 0 AND weight <= 1e15 THEN weight END AS weight,
  CASE WHEN measured = 1 AND weight IS NULL AND unconverted = 0 THEN 1 ELSE 0 END AS weight_missing,
  CASE WHEN measured = 1 AND unconverted = 1 THEN 1 ELSE 0 END AS weight_unconverted,
  CASE WHEN measured = 1 AND weight <= 0 THEN 1 ELSE 0 END AS weight_not_positive,
  CASE WHEN measured = 1 AND NOT weight <= 1e15 THEN 1 ELSE 0 END AS weight_not_finite
FROM (
  SELECT
    __quasi_identifiers__,
    __entity__,
    __household__,
    __sensitive__,
    __tallies__,
    weight,
    unconverted,
    __measured__ AS measured
  FROM release
) AS record
