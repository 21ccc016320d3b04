WITH "release" AS (
  SELECT
    DATE_TRUNC('HOUR', "source"."logged" AT TIME ZONE 'Europe/Berlin') AS "qi_1",
    CAST(EXTRACT(HOUR FROM "source"."seen") AS INT) AS "qi_2",
    CASE
      WHEN NOT "source"."seen" IS NULL
      AND CAST(EXTRACT(HOUR FROM "source"."seen") AS INT) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_2"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2"
  FROM "release"
  GROUP BY
    "qi_1",
    "qi_2"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
