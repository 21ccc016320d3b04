-- The targets: records in the order of a draw, as many as asked for. Records that are alike are told apart by their place among
-- themselves, so that the draw is the same on every engine.
-- Slots:
--   __columns__            those of measured_rows.sql
--   __quasi_identifiers__  the numbers of the quasi-identifiers
--   __order__              what tells records that are alike apart, where anything does
--   __draw__               a pseudo-random number of the numbers and the place, made of the seed
--   __targets__            how many
-- Columns: target (from 1) and those of the slot.
SELECT
  target,
  __columns__
FROM (
  SELECT
    __columns__,
    ROW_NUMBER() OVER (ORDER BY drawn NULLS FIRST, __quasi_identifiers__ NULLS FIRST, copy NULLS FIRST) AS target
  FROM (
    SELECT
      __columns__,
      copy,
      __draw__ AS drawn
    FROM (
      SELECT
        __columns__,
        ROW_NUMBER() OVER (PARTITION BY __quasi_identifiers__ ORDER BY __order__ NULLS FIRST) AS copy
      FROM attack_pool
    ) AS numbered
  ) AS pool
) AS ranked
WHERE target <= __targets__
