-- The classes of those who know several releases and can link them: people who are alike in each of them.
-- Slots:
--   __classes__  class_0 (in this release), class_1, class_2, ... (in earlier ones; 0: not in it)
-- Columns: those of the slot, joint_id, size (people).
SELECT
  __classes__,
  CAST(COUNT(*) AS BIGINT) AS size,
  CAST(ROW_NUMBER() OVER (ORDER BY __classes__ NULLS FIRST) AS BIGINT) AS joint_id
FROM composition_linked
GROUP BY __classes__
