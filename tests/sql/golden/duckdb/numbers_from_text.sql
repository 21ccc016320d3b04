WITH "release" AS (
  SELECT
    CAST(FLOOR(
      CAST(FLOOR(
        CASE
          WHEN REGEXP_MATCHES(
            TRIM("source"."age_text", ' '),
            '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
          )
          THEN CAST(TRIM("source"."age_text", ' ') AS DOUBLE)
        END
      ) AS DOUBLE) / 10
    ) AS BIGINT) * 10 AS "qi_1",
    CASE
      WHEN CASE
        WHEN REGEXP_MATCHES(
          TRIM("source"."zip", ' '),
          '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
        )
        THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
      END < 10000
      THEN 0
      WHEN CASE
        WHEN REGEXP_MATCHES(
          TRIM("source"."zip", ' '),
          '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
        )
        THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
      END < 50000
      THEN 1
      WHEN CASE
        WHEN REGEXP_MATCHES(
          TRIM("source"."zip", ' '),
          '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
        )
        THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
      END >= 50000
      THEN 2
    END AS "qi_2",
    ROUND(
      CAST(CASE
        WHEN REGEXP_MATCHES(
          TRIM("source"."icd", ' '),
          '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
        )
        THEN CAST(TRIM("source"."icd", ' ') AS DECIMAL(38, 9))
      END AS DECIMAL(38, 9)),
      2
    ) AS "qi_3",
    CASE
      WHEN NOT "source"."age_text" IS NULL
      AND CAST(FLOOR(
        CAST(FLOOR(
          CASE
            WHEN REGEXP_MATCHES(
              TRIM("source"."age_text", ' '),
              '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
            )
            THEN CAST(TRIM("source"."age_text", ' ') AS DOUBLE)
          END
        ) AS DOUBLE) / 10
      ) AS BIGINT) * 10 IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_1",
    CASE
      WHEN NOT "source"."zip" IS NULL
      AND CASE
        WHEN CASE
          WHEN REGEXP_MATCHES(
            TRIM("source"."zip", ' '),
            '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
          )
          THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
        END < 10000
        THEN 0
        WHEN CASE
          WHEN REGEXP_MATCHES(
            TRIM("source"."zip", ' '),
            '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
          )
          THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
        END < 50000
        THEN 1
        WHEN CASE
          WHEN REGEXP_MATCHES(
            TRIM("source"."zip", ' '),
            '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
          )
          THEN CAST(TRIM("source"."zip", ' ') AS DOUBLE)
        END >= 50000
        THEN 2
      END IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_2",
    CASE
      WHEN NOT "source"."icd" IS NULL
      AND ROUND(
        CAST(CASE
          WHEN REGEXP_MATCHES(
            TRIM("source"."icd", ' '),
            '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$'
          )
          THEN CAST(TRIM("source"."icd", ' ') AS DECIMAL(38, 9))
        END AS DECIMAL(38, 9)),
        2
      ) IS NULL
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
    CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
    CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
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
  CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
  CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
  CAST(SUM("unconverted_3") AS BIGINT) AS "unconverted_3"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
