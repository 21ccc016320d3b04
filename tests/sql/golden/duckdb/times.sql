WITH "release" AS (
  SELECT
    DATE_TRUNC('HOUR', "source"."seen") AS "qi_1",
    DATE_TRUNC('HOUR', "source"."logged" AT TIME ZONE 'UTC') AS "qi_2",
    CAST(EXTRACT(HOUR FROM "source"."started") AS INT) * 60 + CAST(EXTRACT(MINUTE FROM "source"."started") AS INT) AS "qi_3",
    CASE
      WHEN NOT "source"."started" IS NULL
      AND CAST(EXTRACT(HOUR FROM "source"."started") AS INT) * 60 + CAST(EXTRACT(MINUTE FROM "source"."started") AS INT) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_3"
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
    END AS "missing",
    CAST(SUM("unconverted_3") AS BIGINT) AS "unconverted_3"
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
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unconverted_3") AS BIGINT) AS "unconverted_3"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
