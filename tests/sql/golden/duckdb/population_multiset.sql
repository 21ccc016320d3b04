WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."age" AS "qi_2",
    "source"."member_id" AS "entity",
    CASE WHEN "source"."member_id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
  FROM "analytics"."claims" AS "source"
), "population" AS (
  SELECT
    "source"."gender" AS "qi_1",
    "source"."age" AS "qi_2",
    "source"."id" AS "entity",
    CASE WHEN "source"."id" IS NULL THEN 1 ELSE 0 END AS "population_unidentified"
  FROM "insurer"."members" AS "source"
), "tuples" AS (
  SELECT
    "entity",
    CASE
      WHEN "qi_1" IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST("qi_1" AS TEXT)) AS TEXT) || ':' || CAST("qi_1" AS TEXT)
    END || ',' || CASE WHEN "qi_2" IS NULL THEN 'N' ELSE CAST("qi_2" AS TEXT) END AS "tuple",
    "unidentified",
    1 AS "records",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 0
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "partly_missing",
    CASE WHEN "qi_1" IS NULL AND "qi_2" IS NULL THEN 1 ELSE 0 END AS "wholly_missing"
  FROM "release"
), "people" AS (
  SELECT
    "entity",
    LISTAGG("tuple", '|'
    ORDER BY
      "tuple" NULLS FIRST) AS "person",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
  FROM "tuples"
  GROUP BY
    "entity"
), "population_tuples" AS (
  SELECT
    "entity",
    CASE
      WHEN "qi_1" IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST("qi_1" AS TEXT)) AS TEXT) || ':' || CAST("qi_1" AS TEXT)
    END || ',' || CASE WHEN "qi_2" IS NULL THEN 'N' ELSE CAST("qi_2" AS TEXT) END AS "tuple",
    "population_unidentified"
  FROM "population"
), "population_people" AS (
  SELECT
    "entity",
    LISTAGG("tuple", '|'
    ORDER BY
      "tuple" NULLS FIRST) AS "person",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified"
  FROM "population_tuples"
  GROUP BY
    "entity"
), "everyone" AS (
  SELECT
    "person",
    1 AS "in_release",
    0 AS "in_population",
    "unidentified",
    "records",
    "partly_missing",
    "wholly_missing",
    0 AS "population_unidentified"
  FROM "people"
  UNION ALL
  SELECT
    "person",
    0 AS "in_release",
    1 AS "in_population",
    0 AS "unidentified",
    0 AS "records",
    0 AS "partly_missing",
    0 AS "wholly_missing",
    "population_unidentified"
  FROM "population_people"
), "classes" AS (
  SELECT
    CAST(SUM("in_release") AS BIGINT) AS "size",
    CAST(SUM("in_population") AS BIGINT) AS "population_size",
    CASE WHEN "person" IS NULL THEN 0 ELSE 1 END AS "measured",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
  FROM "everyone"
  GROUP BY
    "person"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "population_size",
  "measured",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "classes"
GROUP BY
  "size",
  "population_size",
  "measured"
LIMIT 100001
