-- What an attacker believes of each target: of some columns, the value of the next target.
-- Slots:
--   __columns__  those of attack_targets.sql, and believed_N: the number of the value that is believed; near_N: its value
-- Columns: target and those of the slot.
SELECT
  own.target AS target,
  __columns__
FROM attack_targets AS own
JOIN attack_targets AS donor
  ON donor.target = own.target % (SELECT MAX(target) FROM attack_targets) + 1
