WITH "sqlrisk_counted" AS (
WITH "release" AS (
SELECT
  CASE WHEN "source"."sex" = '*' THEN NULL ELSE "source"."sex" END AS "qi_1",
  SUBSTRING(CASE WHEN "source"."zip" = '*' THEN NULL ELSE "source"."zip" END, 1, 3) AS "qi_2",
  CASE WHEN "source"."stage" = '*' THEN NULL ELSE "source"."stage" END AS "s_1",
  CASE WHEN "source"."sex" = '*' AND "source"."zip" = '*' THEN 1 ELSE 0 END AS "suppressed"
FROM "db"."measured"."people" AS "source"
), "classes" AS (
SELECT
  CAST(COUNT(*) AS BIGINT) AS "size",
  CASE WHEN "qi_1" IS NULL AND "qi_2" IS NULL THEN 2 WHEN "qi_1" IS NULL OR "qi_2" IS NULL THEN 1 ELSE 0 END AS "missing",
  CAST(SUM("suppressed") AS BIGINT) AS "suppressed"
FROM "release"
GROUP BY
  "qi_1",
  "qi_2"
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
), "s_1_codes" AS (
SELECT
  "s_1",
  ROW_NUMBER() OVER (ORDER BY "s_1" NULLS FIRST) AS "code"
FROM (
  SELECT
    "s_1"
  FROM "release"
  WHERE
    NOT "s_1" IS NULL
  GROUP BY
    "s_1"
) AS "value"
), "release_qi_1" AS (
SELECT
  COALESCE("code", 0) AS "qi_1",
  "qi_2",
  "s_1",
  "suppressed"
FROM "release"
LEFT JOIN "qi_1_codes"
  USING ("qi_1")
), "release_qi_2" AS (
SELECT
  "qi_1",
  COALESCE("code", 0) AS "qi_2",
  "s_1",
  "suppressed"
FROM "release_qi_1"
LEFT JOIN "qi_2_codes"
  USING ("qi_2")
), "release_s_1" AS (
SELECT
  "qi_1",
  "qi_2",
  COALESCE("code", 0) AS "s_1",
  "suppressed"
FROM "release_qi_2"
LEFT JOIN "s_1_codes"
  USING ("s_1")
), "first_half" AS (
SELECT
  "qi_1",
  ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
FROM "release_s_1"
GROUP BY
  "qi_1"
), "second_half" AS (
SELECT
  "qi_2",
  ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
FROM "release_s_1"
GROUP BY
  "qi_2"
), "numbered_release_s_1" AS (
SELECT
  "qi_1",
  "qi_2",
  "s_1",
  "suppressed",
  "one"."code" * (
    SELECT
      MAX("code") + 1
    FROM "second_half"
  ) + "two"."code" AS "tuple"
FROM "release_s_1"
JOIN "first_half" AS "one"
  USING ("qi_1")
JOIN "second_half" AS "two"
  USING ("qi_2")
), "sensitive_rows" AS (
SELECT
  "class",
  "s_1"
FROM (
  SELECT
    CASE WHEN "suppressed" = 1 THEN NULL ELSE "tuple" END AS "class",
  "s_1"
  FROM "numbered_release_s_1"
) AS "record"
WHERE
  NOT "class" IS NULL
), "sensitive_classes" AS (
SELECT
  "class",
  CAST(COUNT(*) AS BIGINT) AS "records",
  MIN("s_1") AS "least_1",
  MAX("s_1") AS "most_1",
  CAST(COUNT("s_1") AS BIGINT) AS "filled_1"
FROM "sensitive_rows"
GROUP BY
  "class"
), "mixed_values_1" AS (
SELECT
  "class",
  "records",
  "filled_1" AS "filled",
  "s_1" AS "s",
  CAST(COUNT(*) AS BIGINT) AS "n"
FROM "sensitive_rows"
JOIN "sensitive_classes"
  USING ("class")
WHERE
  "least_1" < "most_1" AND NOT "s_1" IS NULL
GROUP BY
  "class",
  "records",
  "filled_1",
  "s_1"
), "sensitive_pairs_1" AS (
SELECT
  "class",
  "records",
  "filled",
  CAST(1 AS BIGINT) AS "classes",
  "s",
  "n"
FROM "mixed_values_1"
UNION ALL
SELECT
  -ROW_NUMBER() OVER (
    ORDER BY "records" NULLS FIRST, "filled_1" NULLS FIRST, "least_1" NULLS FIRST
  ) AS "class",
  "records",
  "filled_1" AS "filled",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  "least_1" AS "s",
  "filled_1" AS "n"
FROM "sensitive_classes"
WHERE
  "least_1" = "most_1"
GROUP BY
  "records",
  "filled_1",
  "least_1"
), "sensitive_totals_1" AS (
SELECT
  "s",
  CAST(SUM("n" * "classes") AS BIGINT) AS "total"
FROM "sensitive_pairs_1"
GROUP BY
  "s"
), "sensitive_values_1" AS (
SELECT
  "s",
  "total",
  "whole",
  "distinct_values",
  "position",
  "upto",
  SUM("upto") OVER (ORDER BY "position" NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - "upto" AS "before",
  CAST(SUM("upto") OVER () AS DOUBLE) AS "all_upto"
FROM (
  SELECT
    "s",
    CAST("total" AS DOUBLE) AS "total",
    CAST(SUM("total") OVER () AS DOUBLE) AS "whole",
    CAST(COUNT(*) OVER () AS BIGINT) AS "distinct_values",
    ROW_NUMBER() OVER (ORDER BY "s" NULLS FIRST) AS "position",
    CAST(SUM("total") OVER (ORDER BY "s" NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE) AS "upto"
  FROM "sensitive_totals_1"
) AS "value"
), "shares_1" AS (
SELECT
  "class",
  "records",
  "filled",
  "classes",
  CAST("n" AS DOUBLE) AS "n",
  "total",
  "whole",
  "distinct_values",
  ABS(CAST("n" AS DOUBLE) * "whole" - "total" * CAST("filled" AS DOUBLE)) AS "distance"
FROM "sensitive_pairs_1"
JOIN "sensitive_values_1"
  USING ("s")
), "class_measures_1" AS (
SELECT
  "classes",
  "records",
  "l_distinct",
  EXP(LN("counted") - "n_ln_n" / "counted") AS "l_entropy",
  "most" / "counted" AS "alpha",
  CASE WHEN "tail" > 0 THEN "most" / "tail" END AS "recursive_c",
  CASE WHEN "tail" > 0 THEN 0 ELSE 1 END AS "unbounded",
  "t_closeness",
  "basic_beta",
  "unattainable",
  "delta_present",
  CASE WHEN "l_distinct" < "distinct_values" THEN 1 ELSE 0 END AS "absent"
FROM (
  SELECT
    MAX("classes") AS "classes",
    MAX("records") AS "records",
    CAST(MAX("filled") AS DOUBLE) AS "counted",
    COUNT(*) AS "l_distinct",
    MAX("distinct_values") AS "distinct_values",
    SUM("n" * LN("n")) AS "n_ln_n",
    MAX("n") AS "most",
    SUM("n") - MAX("n") AS "tail",
    ((SUM("distance") + CAST(MAX("filled") AS DOUBLE) * (MAX("whole") - SUM("total"))) / (CAST(MAX("filled") AS DOUBLE) * MAX("whole") * 2)) AS "t_closeness",
    MAX((
      "n" * "whole" - "total" * "filled"
    ) / (
      "total" * "filled"
    )) AS "basic_beta",
    MAX(
      CASE
        WHEN (
          "n" * "whole" - "total" * "filled"
        ) / (
          "total" * "filled"
        ) > 1e-12 - LN("total" / "whole")
        THEN 1
        ELSE 0
      END
    ) AS "unattainable",
    MAX(ABS(LN("n" * "whole" / (
      "total" * "filled"
    )))) AS "delta_present"
  FROM "shares_1"
  GROUP BY
    "class"
) AS "measured"
), "measures_by_l_1" AS (
SELECT
  "l_distinct",
  CAST(SUM("classes") AS BIGINT) AS "classes",
  CAST(SUM("classes" * "records") AS BIGINT) AS "records",
  MIN("l_entropy") AS "l_entropy",
  MAX("alpha") AS "alpha",
  MAX("recursive_c") AS "recursive_c",
  MAX("unbounded") AS "unbounded",
  MAX("t_closeness") AS "t_closeness",
  MAX("basic_beta") AS "basic_beta",
  MAX("unattainable") AS "unattainable",
  MAX("delta_present") AS "delta_present",
  MAX("absent") AS "absent"
FROM "class_measures_1"
GROUP BY
  "l_distinct"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
  CAST(NULL AS BIGINT) AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS DOUBLE) AS "l_entropy",
  CAST(NULL AS DOUBLE) AS "alpha",
  CAST(NULL AS DOUBLE) AS "recursive_c",
  CAST(NULL AS BIGINT) AS "unbounded",
  CAST(NULL AS DOUBLE) AS "t_closeness",
  CAST(NULL AS DOUBLE) AS "basic_beta",
  CAST(NULL AS BIGINT) AS "unattainable",
  CAST(NULL AS DOUBLE) AS "delta_present",
  CAST(NULL AS BIGINT) AS "absent",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "classes"
GROUP BY
  "size",
  "missing"
UNION ALL
SELECT
  'l_histogram' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST("classes" AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "suppressed",
  1 AS "number",
  CAST("l_distinct" AS BIGINT) AS "l_distinct",
  CAST("records" AS BIGINT) AS "records",
  CAST(NULL AS DOUBLE) AS "l_entropy",
  CAST(NULL AS DOUBLE) AS "alpha",
  CAST(NULL AS DOUBLE) AS "recursive_c",
  CAST(NULL AS BIGINT) AS "unbounded",
  CAST(NULL AS DOUBLE) AS "t_closeness",
  CAST(NULL AS DOUBLE) AS "basic_beta",
  CAST(NULL AS BIGINT) AS "unattainable",
  CAST(NULL AS DOUBLE) AS "delta_present",
  CAST(NULL AS BIGINT) AS "absent",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_1"
UNION ALL
SELECT
  'sensitive' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "suppressed",
  1 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
  CAST(NULL AS BIGINT) AS "records",
  CAST(MIN("l_entropy") AS DOUBLE) AS "l_entropy",
  CAST(MAX("alpha") AS DOUBLE) AS "alpha",
  CAST(MAX("recursive_c") AS DOUBLE) AS "recursive_c",
  CAST(MAX("unbounded") AS BIGINT) AS "unbounded",
  CAST(MAX("t_closeness") AS DOUBLE) AS "t_closeness",
  CAST(MAX("basic_beta") AS DOUBLE) AS "basic_beta",
  CAST(MAX("unattainable") AS BIGINT) AS "unattainable",
  CAST(MAX("delta_present") AS DOUBLE) AS "delta_present",
  CAST(MAX("absent") AS BIGINT) AS "absent",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_1"
UNION ALL
SELECT
  'sensitive_whole' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "suppressed",
  1 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS DOUBLE) AS "l_entropy",
  CAST(NULL AS DOUBLE) AS "alpha",
  CAST(NULL AS DOUBLE) AS "recursive_c",
  CAST(NULL AS BIGINT) AS "unbounded",
  CAST(NULL AS DOUBLE) AS "t_closeness",
  CAST(NULL AS DOUBLE) AS "basic_beta",
  CAST(NULL AS BIGINT) AS "unattainable",
  CAST(NULL AS DOUBLE) AS "delta_present",
  CAST(NULL AS BIGINT) AS "absent",
  CAST((SELECT COUNT(*) FROM "sensitive_totals_1") AS BIGINT) AS "distinct_values",
  CAST(SUM(CASE WHEN "s_1" = 0 THEN 1 ELSE 0 END) AS BIGINT) AS "missing_values"
FROM "sensitive_rows"
), "sqlrisk_sizes" AS (
SELECT
  "class_size",
  "population_size",
  "population_size" AS "matches",
  CAST(SUM("classes") AS BIGINT) AS "classes",
  CAST(SUM("records") AS BIGINT) AS "records"
FROM (
  SELECT "size" - COALESCE("suppressed", 0) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", "classes" AS "classes", ("size" - COALESCE("suppressed", 0)) * "classes" AS "records"
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
  COALESCE(SUM("size" * "classes"), 0) - COALESCE(SUM(COALESCE("suppressed", 0)), 0) AS "read",
  1 AS "population_people"
FROM "sqlrisk_counted"
)
SELECT 't-closeness above 0.4' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", CAST(NULL AS BIGINT) AS "records", "t_closeness" AS "value"
FROM "sqlrisk_counted"
WHERE "arm" = 'sensitive' AND "t_closeness" > 0.400000001000
UNION ALL
SELECT 'no value counts' AS "finding", CAST(NULL AS BIGINT) AS "class_size", CAST(NULL AS BIGINT) AS "population_size", CAST(NULL AS BIGINT) AS "classes", CAST(NULL AS BIGINT) AS "records", CAST(NULL AS DOUBLE) AS "value"
FROM "sqlrisk_counted"
WHERE "arm" = 'sensitive' AND "l_entropy" IS NULL
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
