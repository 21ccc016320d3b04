WITH "release" AS (
  SELECT
    ROUND("source"."paid", -2) AS "qi_1",
    CASE
      WHEN ABS(CAST("source"."weight" AS DOUBLE)) * 10 <= 9000000000000000
      THEN CASE
        WHEN CAST("source"."weight" AS DOUBLE) < 0
        THEN -FLOOR(ABS(CAST("source"."weight" AS DOUBLE)) * 10 + 0.5) / 10
        ELSE FLOOR(ABS(CAST("source"."weight" AS DOUBLE)) * 10 + 0.5) / 10
      END
    END AS "qi_2",
    CASE
      WHEN "source"."age" < 18
      THEN 0
      WHEN "source"."age" < 65
      THEN 1
      WHEN "source"."age" >= 65
      THEN 2
    END AS "qi_3",
    CASE
      WHEN NOT "source"."paid" IS NULL AND ROUND("source"."paid", -2) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_1",
    CASE
      WHEN NOT "source"."weight" IS NULL
      AND CASE
        WHEN ABS(CAST("source"."weight" AS DOUBLE)) * 10 <= 9000000000000000
        THEN CASE
          WHEN CAST("source"."weight" AS DOUBLE) < 0
          THEN -FLOOR(ABS(CAST("source"."weight" AS DOUBLE)) * 10 + 0.5) / 10
          ELSE FLOOR(ABS(CAST("source"."weight" AS DOUBLE)) * 10 + 0.5) / 10
        END
      END IS NULL
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
