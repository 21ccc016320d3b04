WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    ROUND("source"."paid", 0) AS "qi_2",
    CASE
      WHEN NOT "source"."paid" IS NULL AND ROUND("source"."paid", 0) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_2"
  FROM "analytics"."claims" AS "source"
), "population" AS (
  SELECT
    "source"."gender" AS "qi_1",
    ROUND("source"."paid", 0) AS "qi_2",
    "source"."id" AS "entity",
    CASE
      WHEN NOT "source"."paid" IS NULL AND ROUND("source"."paid", 0) IS NULL
      THEN 1
      ELSE 0
    END AS "population_unconverted_2",
    CASE WHEN "source"."id" IS NULL THEN 1 ELSE 0 END AS "population_unidentified"
  FROM "insurer"."members" AS "source"
), "population_people" AS MATERIALIZED (
  SELECT
    "entity",
    "qi_1",
    "qi_2",
    CASE WHEN "qi_1" IS NULL OR "qi_2" IS NULL THEN 0 ELSE 1 END AS "measured",
    CAST(SUM("population_unconverted_2") AS BIGINT) AS "population_unconverted_2",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified"
  FROM "population"
  GROUP BY
    "entity",
    "qi_1",
    "qi_2"
), "everyone" AS (
  SELECT
    "qi_1",
    "qi_2",
    1 AS "in_release",
    0 AS "in_population",
    "unconverted_2",
    0 AS "population_unconverted_2",
    0 AS "population_unidentified"
  FROM "release"
  UNION ALL
  SELECT
    "qi_1",
    "qi_2",
    0 AS "in_release",
    1 AS "in_population",
    0 AS "unconverted_2",
    "population_unconverted_2",
    "population_unidentified"
  FROM "population_people"
), "classes" AS (
  SELECT
    CAST(SUM("in_release") AS BIGINT) AS "size",
    CAST(SUM("in_population") AS BIGINT) AS "population_size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
    CAST(SUM("population_unconverted_2") AS BIGINT) AS "population_unconverted_2",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified"
  FROM "everyone"
  GROUP BY
    "qi_1",
    "qi_2"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "population_size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
  CAST(SUM("population_unconverted_2") AS BIGINT) AS "population_unconverted_2",
  CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified",
  CAST(NULL AS BIGINT) AS "people"
FROM "classes"
GROUP BY
  "size",
  "population_size",
  "missing"
UNION ALL
SELECT
  'population' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "population_size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unconverted_2",
  CAST(NULL AS BIGINT) AS "population_unconverted_2",
  CAST(NULL AS BIGINT) AS "population_unidentified",
  CAST(COUNT(*) AS BIGINT) AS "people"
FROM (
  SELECT
    "entity"
  FROM "population_people"
  WHERE
    "measured" = 1
  GROUP BY
    "entity"
) AS "person"
LIMIT 100001
