WITH "release" AS (
  SELECT
    CAST(DATE_TRUNC('YEAR', "source"."admitted") AS DATE) AS "qi_1",
    CAST(DATE_TRUNC('WEEK', CAST("source"."seen" AS DATE)) AS DATE) AS "qi_2",
    CAST(DATE_TRUNC('MONTH', CAST("source"."logged" AT TIME ZONE 'Europe/Berlin' AS DATE)) AS DATE) AS "qi_3"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL AND "qi_3" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL
      THEN 1
      ELSE 0
    END AS "missing"
  FROM "release"
  GROUP BY
    "qi_1",
    "qi_2",
    "qi_3"
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
