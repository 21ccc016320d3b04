-- What came of each attack.
-- Slots:
--   __rightly__  how many records fit and are the target's
-- Columns: matches (records), rightly.
SELECT
  COALESCE(matches, 0) AS matches,
  __rightly__ AS rightly
FROM attack_known
LEFT JOIN attack_matches
  USING (target)
LEFT JOIN attack_right
  USING (target)
