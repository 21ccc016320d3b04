-- For each target, a pseudo-random number of each column: those with the smallest are known.
-- Slots:
--   __columns__  those of the step before
--   __draws__    draw_1, draw_2, ...
-- Columns: target and those of the slots.
SELECT
  target,
  __columns__,
  __draws__
FROM attack_noisy
