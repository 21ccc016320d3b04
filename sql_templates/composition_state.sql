-- The number of values of each joint class in this release, and that of the values that are left.
-- Slots:
--   __classes__  class_1, class_2, ...
-- Columns: those of the slot, size (people), own_values, left_values, same (1).
SELECT
  __classes__,
  size,
  COALESCE(counts.own_values, 0) AS own_values,
  COALESCE(number_left.left_values, 0) AS left_values,
  1 AS same
FROM composition_joint AS joint
LEFT JOIN composition_counts AS counts
  ON joint.class_0 = counts.class_id
LEFT JOIN composition_number_left AS number_left
  ON joint.joint_id = number_left.joint_id
