WITH "release" AS MATERIALIZED (
  SELECT
    CASE WHEN "source"."sex" = '*' THEN NULL ELSE "source"."sex" END AS "qi_1",
    CAST("source"."age" AS BIGINT) - (
      (
        CAST("source"."age" AS BIGINT) % 5 + 5
      ) % 5
    ) AS "qi_2",
    "source"."member_id" AS "entity",
    CASE WHEN "source"."sex" = '*' AND "source"."age" IS NULL THEN 1 ELSE 0 END AS "suppressed",
    CASE WHEN "source"."member_id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
  FROM "analytics"."claims" AS "source"
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
    "suppressed",
    "unidentified"
  FROM "release"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "release_qi_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "entity",
    "suppressed",
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
), "second_half" AS MATERIALIZED (
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
    "suppressed",
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
    CASE
      WHEN (
        "qi_1" = 0 OR "qi_2" = 0
      ) OR "suppressed" = 1
      THEN NULL
      ELSE "tuple"
    END AS "tuple",
    "suppressed",
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
    CAST(LIST_SORT(ARRAY_AGG("tuple") FILTER(WHERE
      NOT "tuple" IS NULL)) AS TEXT) AS "person",
    CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
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
    CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
  FROM "people"
  GROUP BY
    "person"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "measured",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing"
FROM "classes"
GROUP BY
  "size",
  "measured"
LIMIT 100001
