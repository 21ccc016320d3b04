-- The newest histogram of class sizes that dbt's hook `sqlrisk.record_histogram()` put on record for a model.
-- Slots:
--   __audit__  the audit table
--   __model__  the model's unique id in dbt, as a text
-- Columns: invocation_id (of dbt's run), recorded_at (as text), fingerprint (of the model's declaration), counted (classes,
-- or records where people are compared by their distinct rows), size, number.
SELECT
  invocation_id,
  CAST(recorded_at AS TEXT) AS recorded_at,
  fingerprint,
  counted,
  size,
  number
FROM __audit__ AS audit
WHERE model = __model__
  AND recorded_at = (SELECT MAX(recorded_at) FROM __audit__ AS newest WHERE model = __model__)
