-- What came of each attack, where no true id is given.
-- Slots:
--   __rightly__  1 where the target is a record of the release and fits what is known of it, else 0
-- Columns: matches (records), rightly.
SELECT
  COALESCE(matches, 0) AS matches,
  __rightly__ AS rightly
FROM attack_known
LEFT JOIN attack_matches
  USING (target)
