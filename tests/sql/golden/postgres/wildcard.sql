WITH "release" AS MATERIALIZED (
  SELECT
    CASE WHEN "source"."sex" = '*' THEN NULL ELSE "source"."sex" END AS "qi_1",
    CAST("source"."age" AS BIGINT) - (
      (
        CAST("source"."age" AS BIGINT) % 5 + 5
      ) % 5
    ) AS "qi_2",
    CASE WHEN "source"."zip" = '*' THEN NULL ELSE "source"."zip" END AS "qi_3",
    CASE
      WHEN "source"."sex" = '*' AND "source"."age" IS NULL AND "source"."zip" = '*'
      THEN 1
      ELSE 0
    END AS "suppressed"
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
), "qi_3_codes" AS (
  SELECT
    "qi_3",
    ROW_NUMBER() OVER (ORDER BY "qi_3" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "qi_3"
    FROM "release"
    WHERE
      NOT "qi_3" IS NULL
    GROUP BY
      "qi_3"
  ) AS "value"
), "release_qi_1" AS (
  SELECT
    COALESCE("code", 0) AS "qi_1",
    "qi_2",
    "qi_3",
    "suppressed"
  FROM "release"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "release_qi_2" AS (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "qi_3",
    "suppressed"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "release_qi_3" AS (
  SELECT
    "qi_1",
    "qi_2",
    COALESCE("code", 0) AS "qi_3",
    "suppressed"
  FROM "release_qi_2"
  LEFT JOIN "qi_3_codes"
    USING ("qi_3")
), "classes" AS (
  SELECT
    "qi_1",
    "qi_2",
    "qi_3",
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" = 0 AND "qi_2" = 0 AND "qi_3" = 0
      THEN 2
      WHEN "qi_1" = 0 OR "qi_2" = 0 OR "qi_3" = 0
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("suppressed") AS BIGINT) AS "suppressed"
  FROM "release_qi_3"
  GROUP BY
    "qi_1",
    "qi_2",
    "qi_3"
), "wild_classes" AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST, "qi_2" NULLS FIRST, "qi_3" NULLS FIRST) AS "class",
    "qi_1",
    "qi_2",
    "qi_3",
    CASE WHEN "qi_1" = 0 THEN 1 ELSE 0 END + CASE WHEN "qi_2" = 0 THEN 2 ELSE 0 END + CASE WHEN "qi_3" = 0 THEN 4 ELSE 0 END AS "pattern",
    "size" - "suppressed" AS "size",
    "missing",
    "suppressed"
  FROM "classes"
), "patterns" AS MATERIALIZED (
  SELECT
    "pattern",
    MAX(CASE WHEN "qi_1" = 0 THEN 0 ELSE 1 END) AS "present_1",
    MAX(CASE WHEN "qi_2" = 0 THEN 0 ELSE 1 END) AS "present_2",
    MAX(CASE WHEN "qi_3" = 0 THEN 0 ELSE 1 END) AS "present_3"
  FROM "wild_classes"
  WHERE
    "pattern" > 0
    AND (
      SELECT
        COUNT(*)
      FROM "wild_classes"
    ) * (
      SELECT
        COUNT(DISTINCT "pattern")
      FROM "wild_classes"
    ) <= 100000000
  GROUP BY
    "pattern"
), "all_patterns" AS (
  SELECT
    "pattern",
    "present_1",
    "present_2",
    "present_3"
  FROM "patterns"
  UNION ALL
  SELECT
    0 AS "pattern",
    1 AS "present_1",
    1 AS "present_2",
    1 AS "present_3"
), "gap_groups" AS MATERIALIZED (
  SELECT
    "own",
    "other",
    "qi_1",
    "qi_2",
    "qi_3",
    ROW_NUMBER() OVER (
      ORDER BY "own" NULLS FIRST, "other" NULLS FIRST, "qi_1" NULLS FIRST, "qi_2" NULLS FIRST, "qi_3" NULLS FIRST
    ) AS "number",
    CAST(SUM("size") AS BIGINT) AS "size"
  FROM (
    SELECT
      "looking"."pattern" AS "own",
      "wild"."pattern" AS "other",
      "wild"."qi_1" * "looking"."present_1" AS "qi_1",
      "wild"."qi_2" * "looking"."present_2" AS "qi_2",
      "wild"."qi_3" * "looking"."present_3" AS "qi_3",
      "wild"."size"
    FROM "wild_classes" AS "wild"
    CROSS JOIN "all_patterns" AS "looking"
    WHERE
      "wild"."pattern" > 0
  ) AS "gap"
  GROUP BY
    "own",
    "other",
    "qi_1",
    "qi_2",
    "qi_3"
), "meetings" AS MATERIALIZED (
  SELECT
    "class",
    "own",
    "number",
    "own_size",
    "size"
  FROM (
    SELECT
      "class",
      "wild"."pattern" AS "own",
      "looked"."pattern" AS "other",
      "wild"."qi_1" * "looked"."present_1" AS "qi_1",
      "wild"."qi_2" * "looked"."present_2" AS "qi_2",
      "wild"."qi_3" * "looked"."present_3" AS "qi_3",
      "wild"."size" AS "own_size"
    FROM "wild_classes" AS "wild"
    CROSS JOIN "patterns" AS "looked"
  ) AS "seen"
  JOIN "gap_groups"
    USING ("own", "other", "qi_1", "qi_2", "qi_3")
), "gap_sizes" AS (
  SELECT
    "class",
    CAST(SUM("size") AS BIGINT) AS "size"
  FROM "meetings"
  GROUP BY
    "class"
), "whole_sizes" AS (
  SELECT
    "number",
    CAST(SUM("own_size") AS BIGINT) AS "size"
  FROM "meetings"
  WHERE
    "own" = 0
  GROUP BY
    "number"
), "own_groups" AS (
  SELECT
    "class",
    "number"
  FROM (
    SELECT
      "class",
      0 AS "own",
      "pattern" AS "other",
      "qi_1",
      "qi_2",
      "qi_3"
    FROM "wild_classes"
    WHERE
      "pattern" > 0
  ) AS "wild"
  JOIN "gap_groups"
    USING ("own", "other", "qi_1", "qi_2", "qi_3")
), "matches" AS (
  SELECT
    "class",
    "missing",
    "wild"."size" AS "own_size",
    "suppressed",
    CASE WHEN "pattern" = 0 THEN "wild"."size" ELSE COALESCE("whole"."size", 0) END + COALESCE("gap"."size", 0) AS "size"
  FROM "wild_classes" AS "wild"
  LEFT JOIN "gap_sizes" AS "gap"
    USING ("class")
  LEFT JOIN (
    SELECT
      "class",
      "size"
    FROM "own_groups"
    JOIN "whole_sizes"
      USING ("number")
  ) AS "whole"
    USING ("class")
)
SELECT
  'record_sizes' AS "arm",
  "size",
  "missing",
  CAST(SUM("own_size") AS BIGINT) AS "own_size",
  CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
  CAST(NULL AS BIGINT) AS "wild_classes",
  CAST(NULL AS BIGINT) AS "wild_patterns"
FROM "matches"
GROUP BY
  "size",
  "missing"
UNION ALL
SELECT
  'wildcard' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "own_size",
  CAST(NULL AS BIGINT) AS "suppressed",
  CAST(COUNT(*) AS BIGINT) AS "wild_classes",
  CAST(COUNT(DISTINCT "pattern") AS BIGINT) AS "wild_patterns"
FROM "wild_classes"
LIMIT 100001
