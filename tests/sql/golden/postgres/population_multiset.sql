WITH "release" AS MATERIALIZED (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."age" AS "qi_2",
    "source"."member_id" AS "entity",
    CASE WHEN "source"."member_id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
  FROM "analytics"."claims" AS "source"
), "population" AS MATERIALIZED (
  SELECT
    "source"."gender" AS "qi_1",
    "source"."age" AS "qi_2",
    "source"."id" AS "entity",
    CASE WHEN "source"."id" IS NULL THEN 1 ELSE 0 END AS "population_unidentified"
  FROM "insurer"."members" AS "source"
), "both" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2"
  FROM "release"
  UNION ALL
  SELECT
    "qi_1",
    "qi_2"
  FROM "population"
), "qi_1_codes" AS MATERIALIZED (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "qi_1"
    FROM "both"
    WHERE
      NOT "qi_1" IS NULL
    GROUP BY
      "qi_1"
  ) AS "value"
), "qi_2_codes" AS MATERIALIZED (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "qi_2"
    FROM "both"
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
), "release_qi_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "entity",
    "unidentified"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "population_qi_1" AS (
  SELECT
    COALESCE("code", 0) AS "qi_1",
    "qi_2",
    "entity",
    "population_unidentified"
  FROM "population"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "population_qi_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "entity",
    "population_unidentified"
  FROM "population_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "both_coded" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2"
  FROM "release_qi_2"
  UNION ALL
  SELECT
    "qi_1",
    "qi_2"
  FROM "population_qi_2"
), "first_half" AS MATERIALIZED (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM "both_coded"
  GROUP BY
    "qi_1"
), "second_half" AS MATERIALIZED (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM "both_coded"
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
), "numbered_population_qi_2" AS (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    "population_unidentified",
    "one"."code" * (
      SELECT
        MAX("code") + 1
      FROM "second_half"
    ) + "two"."code" AS "tuple"
  FROM "population_qi_2"
  JOIN "first_half" AS "one"
    USING ("qi_1")
  JOIN "second_half" AS "two"
    USING ("qi_2")
), "tuples" AS (
  SELECT
    "entity",
    "tuple" AS "tuple",
    "unidentified",
    1 AS "records",
    CASE
      WHEN "qi_1" = 0 AND "qi_2" = 0
      THEN 0
      WHEN "qi_1" = 0 OR "qi_2" = 0
      THEN 1
      ELSE 0
    END AS "partly_missing",
    CASE WHEN "qi_1" = 0 AND "qi_2" = 0 THEN 1 ELSE 0 END AS "wholly_missing"
  FROM "numbered_release_qi_2"
), "people" AS (
  SELECT
    "entity",
    CAST(ARRAY_AGG("tuple" ORDER BY "tuple") FILTER(WHERE
      NOT "tuple" IS NULL) AS TEXT) AS "person",
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
    "tuple" AS "tuple",
    "population_unidentified"
  FROM "numbered_population_qi_2"
), "population_people" AS (
  SELECT
    "entity",
    CAST(ARRAY_AGG("tuple" ORDER BY "tuple") FILTER(WHERE
      NOT "tuple" IS NULL) AS TEXT) AS "person",
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
