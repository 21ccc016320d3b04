-- What is known of each target.
-- Slots:
--   __columns__  the true id, if there is one; known_N: the number of the value that is known, -1 where none is; near_N
--   __mask__     the number of the columns that are known: the sum of 1, 2, 4, ... for qi_1, qi_2, qi_3, ...
--   __itself__   1 where the target's own record fits what is known of it, else 0
-- Columns: target, mask, itself and those of the slot.
SELECT
  target,
  CAST(__mask__ AS BIGINT) AS mask,
  __itself__ AS itself,
  __columns__
FROM attack_knowing
