-- For each target, whether each column is known.
-- Slots:
--   __columns__  those of attack_noisy.sql
--   __knows__    know_1, know_2, ...: 1 or 0
-- Columns: target and those of the slots.
SELECT
  target,
  __columns__,
  __knows__
FROM attack_drawn
