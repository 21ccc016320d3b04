-- The sensitive values that each joint class could have by this release alone.
-- Columns: joint_id, value.
SELECT
  joint.joint_id AS joint_id,
  own.value AS value
FROM composition_joint AS joint
JOIN composition_values AS own
  ON joint.class_0 = own.class_id
