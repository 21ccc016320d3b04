WITH "release" AS (
  SELECT
    "source"."Odd ""Name""" AS "qi_1",
    "source"."select" AS "qi_2",
    CAST("source"."a:b`c" AS BIGINT) - (
      (
        CAST("source"."a:b`c" AS BIGINT) % 5 + 5
      ) % 5
    ) AS "qi_3",
    "source"."größe, m²" AS "qi_4",
    "source"."qi_1" AS "qi_5",
    SUBSTRING("source"."back\slash" FROM 1 FOR 2) AS "qi_6"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL
      AND "qi_2" IS NULL
      AND "qi_3" IS NULL
      AND "qi_4" IS NULL
      AND "qi_5" IS NULL
      AND "qi_6" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL
      OR "qi_2" IS NULL
      OR "qi_3" IS NULL
      OR "qi_4" IS NULL
      OR "qi_5" IS NULL
      OR "qi_6" IS NULL
      THEN 1
      ELSE 0
    END AS "missing"
  FROM "release"
  GROUP BY
    "qi_1",
    "qi_2",
    "qi_3",
    "qi_4",
    "qi_5",
    "qi_6"
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
