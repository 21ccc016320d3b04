WITH "sqlrisk_counted" AS (
WITH "release" AS (
SELECT
  "source"."sex" AS "qi_1",
  CAST("source"."age" AS BIGINT) - ((CAST("source"."age" AS BIGINT) % 5 + 5) % 5) AS "qi_2",
  SUBSTRING("source"."zip", 1, 3) AS "qi_3"
FROM "db"."measured"."people" AS "source"
), "classes" AS (
SELECT
  CAST(COUNT(*) AS BIGINT) AS "size",
  CASE WHEN "qi_1" IS NULL AND "qi_2" IS NULL AND "qi_3" IS NULL THEN 2 WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL THEN 1 ELSE 0 END AS "missing"
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
  CAST(COUNT(*) AS BIGINT) AS "classes"
FROM "classes"
GROUP BY
  "size",
  "missing"
), "sqlrisk_sizes" AS (
SELECT
  "class_size",
  "population_size",
  "population_size" AS "matches",
  CAST(SUM("classes") AS BIGINT) AS "classes",
  CAST(SUM("records") AS BIGINT) AS "records"
FROM (
  SELECT "size" - 0 AS "class_size", CAST(NULL AS BIGINT) AS "population_size", "classes" AS "classes", ("size" - 0) * "classes" AS "records"
  FROM "sqlrisk_counted"
  WHERE "arm" = 'class_sizes'
) AS "measured"
WHERE "class_size" > 0
GROUP BY "class_size", "population_size"
), "sqlrisk_totals" AS (
SELECT
  0 AS "unconverted",
  0 AS "unidentified",
  0 AS "excluded",
  COALESCE(SUM("size" * "classes"), 0) - 0 AS "read",
  1 AS "population_people"
FROM "sqlrisk_counted"
)
SELECT 'class smaller than 5' AS "finding", "class_size" AS "class_size", CAST(NULL AS BIGINT) AS "population_size", "classes" AS "classes", "records" AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_sizes"
WHERE "class_size" < 5
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
