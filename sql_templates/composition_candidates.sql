-- How many people are compatible with somebody in every release that they are in, for those who cannot link the releases, and
-- cannot see who is not in one.
-- Slots:
--   __compatible__  whether the people of another joint class are in the same class in every release that these are in
-- Columns: size (people of the class), candidates.
SELECT
  own.size AS size,
  CAST(SUM(other.size) AS BIGINT) AS candidates
FROM composition_joint AS own
JOIN composition_joint AS other
  ON own.class_0 = other.class_0
WHERE __compatible__ = 1
GROUP BY own.joint_id, own.size
