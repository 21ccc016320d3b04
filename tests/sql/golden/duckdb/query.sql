WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    CAST("source"."age" AS BIGINT) - (
      (
        CAST("source"."age" AS BIGINT) % 5 + 5
      ) % 5
    ) AS "qi_2"
  FROM (
    WITH "recent" AS (
      SELECT
        "Sex",
        "Age",
        "Admitted"
      FROM "Analytics"."Claims" AS "c"
      WHERE
        "c"."Year" = 2025
    )
    SELECT
      *
    FROM "recent"
    WHERE
      NOT EXISTS(
        SELECT
          1
        FROM "optouts" AS "o"
        WHERE
          "o"."sex" = "recent"."sex"
      )
  ) AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "missing"
  FROM "release"
  GROUP BY
    "qi_1",
    "qi_2"
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
