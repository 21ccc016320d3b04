WITH "release" AS (
  SELECT
    CAST(EXTRACT(ISODOW FROM "source"."admitted") AS INT) AS "qi_1",
    CAST(EXTRACT(ISODOW FROM CAST("source"."logged" AT TIME ZONE 'America/New_York' AS DATE)) AS INT) AS "qi_2",
    CAST(DATE_TRUNC('QUARTER', CAST("source"."seen" AS DATE)) AS DATE) AS "qi_3",
    CASE
      WHEN NOT "source"."admitted" IS NULL
      AND CAST(EXTRACT(ISODOW FROM "source"."admitted") AS INT) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_1",
    CASE
      WHEN NOT "source"."logged" IS NULL
      AND CAST(EXTRACT(ISODOW FROM CAST("source"."logged" AT TIME ZONE 'America/New_York' AS DATE)) AS INT) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_2"
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
    CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
    CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2"
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
  CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
  CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
