WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1"
  FROM "classes" AS "source"
), "classes_" AS (
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
FROM "classes_"
GROUP BY
  "size",
  "missing"
LIMIT 100001
