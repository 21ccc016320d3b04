WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE WHEN "qi_1" IS NULL THEN 2 ELSE 0 END AS "missing"
  FROM "release"
  GROUP BY
    "qi_1"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
