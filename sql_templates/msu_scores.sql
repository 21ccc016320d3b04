-- The scores of each record that has a minimal sample unique.
-- Slots:
--   __msus__  their number
--   __suda__  the score of SUDA2: the sum of (V - k)! over those of size k, of V quasi-identifiers
--   __ihsn__  the score of the IHSN's guide: the sum of (2^(V-k) - 1) k! (V - k)! / V!
-- Columns: class_id, msus, suda, ihsn.
SELECT
  class_id,
  CAST(__msus__ AS BIGINT) AS msus,
  CAST(__suda__ AS DOUBLE) AS suda,
  CAST(__ihsn__ AS DOUBLE) AS ihsn
FROM msu_records
