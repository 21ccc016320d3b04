-- How many people there are in classes of each size, for those who can link the releases.
-- Columns: arm, size, classes.
SELECT
  'composition_linkable' AS arm,
  size,
  CAST(COUNT(*) AS BIGINT) AS classes
FROM composition_joint
GROUP BY size
