WITH "sqlrisk_counted" AS (
WITH "release" AS (
SELECT
  "source"."sex" AS "qi_1",
  CAST(DATE_TRUNC('MONTH', "source"."born") AS DATE) AS "qi_2",
  "source"."id" AS "entity",
  CASE WHEN "source"."id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
FROM "db"."measured"."people" AS "source"
), "qi_1_codes" AS (
SELECT
  "qi_1",
  ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
FROM (
  SELECT
    "qi_1"
  FROM "release"
  WHERE
    NOT "qi_1" IS NULL
  GROUP BY
    "qi_1"
) AS "value"
), "qi_2_codes" AS (
SELECT
  "qi_2",
  ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
FROM (
  SELECT
    "qi_2"
  FROM "release"
  WHERE
    NOT "qi_2" IS NULL
  GROUP BY
    "qi_2"
) AS "value"
), "release_qi_1" AS (
SELECT
  COALESCE("code", 0) AS "qi_1",
  "qi_2",
  "entity",
  "unidentified"
FROM "release"
LEFT JOIN "qi_1_codes"
  USING ("qi_1")
), "release_qi_2" AS (
SELECT
  "qi_1",
  COALESCE("code", 0) AS "qi_2",
  "entity",
  "unidentified"
FROM "release_qi_1"
LEFT JOIN "qi_2_codes"
  USING ("qi_2")
), "first_half" AS (
SELECT
  "qi_1",
  ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
FROM "release_qi_2"
GROUP BY
  "qi_1"
), "second_half" AS (
SELECT
  "qi_2",
  ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
FROM "release_qi_2"
GROUP BY
  "qi_2"
), "numbered_release_qi_2" AS (
SELECT
  "qi_1",
  "qi_2",
  "entity",
  "unidentified",
  "one"."code" * (
    SELECT
      MAX("code") + 1
    FROM "second_half"
  ) + "two"."code" AS "tuple"
FROM "release_qi_2"
JOIN "first_half" AS "one"
  USING ("qi_1")
JOIN "second_half" AS "two"
  USING ("qi_2")
), "tuples" AS (
SELECT
  "entity",
  CASE WHEN "qi_1" = 0 OR "qi_2" = 0 THEN NULL ELSE "tuple" END AS "tuple",
  "unidentified",
  1 AS "records",
  CASE WHEN "qi_1" = 0 AND "qi_2" = 0 THEN 0 WHEN "qi_1" = 0 OR "qi_2" = 0 THEN 1 ELSE 0 END AS "partly_missing",
  CASE WHEN "qi_1" = 0 AND "qi_2" = 0 THEN 1 ELSE 0 END AS "wholly_missing"
FROM "numbered_release_qi_2"
), "people_" AS (
SELECT
  "entity",
  LISTAGG(CAST("tuple" AS VARCHAR), '|') WITHIN GROUP (ORDER BY CAST("tuple" AS VARCHAR) NULLS FIRST) AS "person",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "tuples"
GROUP BY
  "entity"
), "classes" AS (
SELECT
  CAST(COUNT(*) AS BIGINT) AS "size",
  CASE WHEN "person" IS NULL THEN 0 ELSE 1 END AS "measured",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "people_"
GROUP BY
  "person"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "measured",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "classes"
GROUP BY
  "size",
  "measured"
), "sqlrisk_sizes" AS (
SELECT
  "class_size",
  "population_size",
  "population_size" AS "matches",
  CAST(SUM("classes") AS BIGINT) AS "classes",
  CAST(SUM("records") AS BIGINT) AS "records"
FROM (
  SELECT "size" AS "class_size", CAST(NULL AS BIGINT) AS "population_size", "classes" AS "classes", "size" * "classes" AS "records"
  FROM "sqlrisk_counted"
  WHERE "arm" = 'class_sizes' AND "measured" = 1
) AS "measured"
WHERE "class_size" > 0
GROUP BY "class_size", "population_size"
), "sqlrisk_totals" AS (
SELECT
  0 AS "unconverted",
  COALESCE(SUM(COALESCE("unidentified", 0)), 0) AS "unidentified",
  COALESCE(SUM(CASE WHEN "arm" = 'class_sizes' THEN "partly_missing" + "wholly_missing" ELSE 0 END), 0) - 0 AS "excluded",
  COALESCE(SUM(CASE WHEN "arm" = 'class_sizes' THEN "records" ELSE 0 END), 0) - 0 AS "read",
  1 AS "population_people"
FROM "sqlrisk_counted"
)
SELECT 'share of records with a risk above 1/11 above 0.05' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", SUM("classes") AS "classes", SUM("records") AS "records", CAST(SUM(CASE WHEN "class_size" * 1 < 11 THEN "records" ELSE 0 END) AS DOUBLE) / SUM("records") AS "value"
FROM "sqlrisk_sizes"
HAVING CAST(SUM(CASE WHEN "class_size" * 1 < 11 THEN "records" ELSE 0 END) AS DOUBLE) / SUM("records") > 0.050000001000
UNION ALL
SELECT 'values that do not convert' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", "unconverted" AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_totals"
WHERE "unconverted" > 0
UNION ALL
SELECT 'rows without an entity id' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", "unidentified" AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_totals"
WHERE "unidentified" > 0
UNION ALL
SELECT 'the release is empty' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", "read" - "excluded" AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_totals"
WHERE "read" - "excluded" <= 0
UNION ALL
SELECT 'records left out for missing values' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", "excluded" AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_totals"
WHERE CAST("excluded" AS DOUBLE) > 0.000000001000 * "read" AND "excluded" > 0
