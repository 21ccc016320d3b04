WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."age" AS "qi_2",
    SUBSTRING("source"."zip", 1, 2) AS "qi_3",
    "source"."member_id" AS "entity",
    CASE WHEN "source"."member_id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
  FROM "analytics"."claims" AS "source"
), "population" AS (
  SELECT
    "source"."gender" AS "qi_1",
    "source"."age" AS "qi_2",
    SUBSTRING("source"."zip", 1, 2) AS "qi_3",
    "source"."id" AS "entity",
    CASE WHEN "source"."id" IS NULL THEN 1 ELSE 0 END AS "population_unidentified"
  FROM "insurer"."members" AS "source"
), "pairs" AS (
  SELECT
    "entity",
    "qi_1",
    "qi_2",
    "qi_3",
    CASE WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL THEN 0 ELSE 1 END AS "measured",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(COUNT(*) AS BIGINT) AS "records"
  FROM "release"
  GROUP BY
    "entity",
    "qi_1",
    "qi_2",
    "qi_3"
), "population_people" AS MATERIALIZED (
  SELECT
    "entity",
    "qi_1",
    "qi_2",
    "qi_3",
    CASE WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL THEN 0 ELSE 1 END AS "measured",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified"
  FROM "population"
  GROUP BY
    "entity",
    "qi_1",
    "qi_2",
    "qi_3"
), "everyone" AS (
  SELECT
    "entity",
    "qi_1",
    "qi_2",
    "qi_3",
    1 AS "in_release",
    "measured",
    "unidentified",
    "records",
    0 AS "population_unidentified"
  FROM "pairs"
  UNION ALL
  SELECT
    NULL AS "entity",
    "qi_1",
    "qi_2",
    "qi_3",
    0 AS "in_release",
    CASE WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL THEN 0 ELSE 1 END AS "measured",
    0 AS "unidentified",
    0 AS "records",
    "population_unidentified"
  FROM "population_people"
), "pair_sizes" AS (
  SELECT
    "entity",
    "in_release",
    CAST(SUM("in_release" * "measured") OVER (PARTITION BY "qi_1", "qi_2", "qi_3") AS BIGINT) AS "size",
    CAST(SUM((
      1 - "in_release"
    ) * "measured") OVER (PARTITION BY "qi_1", "qi_2", "qi_3") AS BIGINT) AS "population_size",
    "measured",
    "unidentified",
    "population_unidentified",
    "records" AS "records",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL AND "qi_3" IS NULL
      THEN 0
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL
      THEN 1
      ELSE 0
    END * "records" AS "partly_missing",
    CASE WHEN "qi_1" IS NULL AND "qi_2" IS NULL AND "qi_3" IS NULL THEN 1 ELSE 0 END * "records" AS "wholly_missing"
  FROM "everyone"
), "people" AS (
  SELECT
    "entity",
    "in_release",
    CASE WHEN "in_release" = 1 THEN MIN(CASE WHEN "measured" = 1 THEN "size" END) END AS "size",
    CASE
      WHEN "in_release" = 1
      THEN MIN(
        CASE
          WHEN "measured" = 1
          THEN CASE WHEN "population_size" < "size" THEN "size" ELSE "population_size" END
        END
      )
    END AS "population_size",
    CASE WHEN "in_release" = 0 THEN SUM("measured") ELSE 0 END AS "population_people",
    MAX(CASE WHEN "measured" = 1 AND "population_size" = 0 THEN 1 ELSE 0 END) AS "absent",
    MAX(
      CASE
        WHEN "measured" = 1 AND "population_size" > 0 AND "population_size" < "size"
        THEN 1
        ELSE 0
      END
    ) AS "fewer",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
  FROM "pair_sizes"
  GROUP BY
    "entity",
    "in_release"
)
SELECT
  'record_sizes' AS "arm",
  "in_release",
  "size",
  "population_size",
  CAST(COUNT(*) AS BIGINT) AS "people",
  CAST(SUM("population_people") AS BIGINT) AS "population_people",
  CAST(SUM("absent") AS BIGINT) AS "absent",
  CAST(SUM("fewer") AS BIGINT) AS "fewer",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("population_unidentified") AS BIGINT) AS "population_unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "people"
GROUP BY
  "in_release",
  "size",
  "population_size"
UNION ALL
SELECT
  'population' AS "arm",
  CAST(NULL AS BIGINT) AS "in_release",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "population_size",
  CAST(COUNT(*) AS BIGINT) AS "people",
  CAST(NULL AS BIGINT) AS "population_people",
  CAST(NULL AS BIGINT) AS "absent",
  CAST(NULL AS BIGINT) AS "fewer",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "population_unidentified",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing"
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
