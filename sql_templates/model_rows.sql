-- What is in one table of a population model.
-- Slots:
--   __number__      the table's number, from 1
--   __tally_sums__  the sum of each tally
-- Columns: arm, number, model_rows, total (of the frequencies), and one for each tally.
SELECT
  'model' AS arm,
  __number__ AS number,
  CAST(COUNT(*) AS BIGINT) AS model_rows,
  CAST(SUM(frequency) AS DOUBLE) AS total,
  __tally_sums__
FROM model
