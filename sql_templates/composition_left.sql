-- The values that are left when an earlier release is known too: those that are in both classes.
-- Slots:
--   __earlier__  the class in that release, 0 for people who are not in it
-- Columns: joint_id, value.
SELECT
  known.joint_id AS joint_id,
  known.value AS value
FROM composition_known AS known
JOIN composition_joint AS joint
  ON known.joint_id = joint.joint_id
LEFT JOIN composition_other AS other
  ON __earlier__ = other.class_id AND known.value = other.value
WHERE __earlier__ = 0 OR NOT other.n IS NULL
