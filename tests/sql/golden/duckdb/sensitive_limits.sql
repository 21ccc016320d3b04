WITH "release" AS MATERIALIZED (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."zip" AS "qi_2",
    "source"."smoker" AS "s_1",
    CASE
      WHEN CASE
        WHEN "source"."icd" IN ('A1', 'A''2')
        THEN 'A'
        WHEN "source"."icd" IN ('B1')
        THEN 'B'
      END IS NULL
      THEN NULL
      ELSE "source"."icd"
    END AS "s_2",
    CASE
      WHEN "source"."icd" IN ('A1', 'A''2')
      THEN 'A'
      WHEN "source"."icd" IN ('B1')
      THEN 'B'
    END AS "g_2",
    CASE
      WHEN "source"."sex" IS NULL
      THEN 0
      WHEN "source"."zip" IS NULL
      THEN 0
      WHEN NOT "source"."icd" IS NULL
      AND CASE
        WHEN CASE
          WHEN "source"."icd" IN ('A1', 'A''2')
          THEN 'A'
          WHEN "source"."icd" IN ('B1')
          THEN 'B'
        END IS NULL
        THEN NULL
        ELSE "source"."icd"
      END IS NULL
      THEN 1
      ELSE 0
    END AS "sensitive_unconverted_2"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("sensitive_unconverted_2") AS BIGINT) AS "sensitive_unconverted_2"
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
), "s_2_codes" AS (
  SELECT
    "s_2",
    ROW_NUMBER() OVER (ORDER BY "s_2" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "s_2"
    FROM "release"
    WHERE
      NOT "s_2" IS NULL
    GROUP BY
      "s_2"
  ) AS "value"
), "g_2_codes" AS (
  SELECT
    "g_2",
    ROW_NUMBER() OVER (ORDER BY "g_2" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "g_2"
    FROM "release"
    WHERE
      NOT "g_2" IS NULL
    GROUP BY
      "g_2"
  ) AS "value"
), "release_qi_1" AS (
  SELECT
    COALESCE("code", 0) AS "qi_1",
    "qi_2",
    "s_1",
    "s_2",
    "g_2",
    "sensitive_unconverted_2"
  FROM "release"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "release_qi_2" AS (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "s_1",
    "s_2",
    "g_2",
    "sensitive_unconverted_2"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "release_s_1" AS (
  SELECT
    "qi_1",
    "qi_2",
    COALESCE("code", 0) AS "s_1",
    "s_2",
    "g_2",
    "sensitive_unconverted_2"
  FROM "release_qi_2"
  LEFT JOIN "s_1_codes"
    USING ("s_1")
), "release_s_2" AS (
  SELECT
    "qi_1",
    "qi_2",
    "s_1",
    COALESCE("code", 0) AS "s_2",
    "g_2",
    "sensitive_unconverted_2"
  FROM "release_s_1"
  LEFT JOIN "s_2_codes"
    USING ("s_2")
), "release_g_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2",
    "s_1",
    "s_2",
    COALESCE("code", 0) AS "g_2",
    "sensitive_unconverted_2"
  FROM "release_s_2"
  LEFT JOIN "g_2_codes"
    USING ("g_2")
), "first_half" AS (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM "release_g_2"
  GROUP BY
    "qi_1"
), "second_half" AS MATERIALIZED (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM "release_g_2"
  GROUP BY
    "qi_2"
), "numbered_release_g_2" AS (
  SELECT
    "qi_1",
    "qi_2",
    "s_1",
    "s_2",
    "g_2",
    "sensitive_unconverted_2",
    "one"."code" * (
      SELECT
        MAX("code") + 1
      FROM "second_half"
    ) + "two"."code" AS "tuple"
  FROM "release_g_2"
  JOIN "first_half" AS "one"
    USING ("qi_1")
  JOIN "second_half" AS "two"
    USING ("qi_2")
), "sensitive_rows" AS MATERIALIZED (
  SELECT
    "class",
    "s_1",
    "s_2",
    "g_2"
  FROM (
    SELECT
      CASE WHEN "qi_1" = 0 OR "qi_2" = 0 THEN NULL ELSE "tuple" END AS "class",
      "s_1",
      "s_2",
      "g_2"
    FROM "numbered_release_g_2"
  ) AS "record"
  WHERE
    NOT "class" IS NULL
), "sensitive_classes" AS MATERIALIZED (
  SELECT
    "class",
    CAST(COUNT(*) AS BIGINT) AS "records",
    MIN(CASE WHEN "s_1" > 0 THEN "s_1" END) AS "least_1",
    MAX(CASE WHEN "s_1" > 0 THEN "s_1" END) AS "most_1",
    CAST(COUNT(CASE WHEN "s_1" > 0 THEN "s_1" END) AS BIGINT) AS "filled_1",
    MIN(CASE WHEN "s_2" > 0 THEN "s_2" END) AS "least_2",
    MAX(CASE WHEN "s_2" > 0 THEN "s_2" END) AS "most_2",
    CAST(COUNT(CASE WHEN "s_2" > 0 THEN "s_2" END) AS BIGINT) AS "filled_2"
  FROM "sensitive_rows"
  GROUP BY
    "class"
), "mixed_values_1" AS (
  SELECT
    "class",
    "records",
    "filled_1" AS "filled",
    CASE WHEN "s_1" > 0 THEN "s_1" END AS "s",
    CAST(COUNT(*) AS BIGINT) AS "n"
  FROM "sensitive_rows"
  JOIN "sensitive_classes"
    USING ("class")
  WHERE
    "least_1" < "most_1" AND NOT CASE WHEN "s_1" > 0 THEN "s_1" END IS NULL
  GROUP BY
    "class",
    "records",
    "filled_1",
    CASE WHEN "s_1" > 0 THEN "s_1" END
), "sensitive_pairs_1" AS MATERIALIZED (
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
    -ROW_NUMBER() OVER (ORDER BY "records" NULLS FIRST, "filled_1" NULLS FIRST, "least_1" NULLS FIRST) AS "class",
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
), "sensitive_totals_1" AS MATERIALIZED (
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
      (
        (
          SUM("distance") + CAST(MAX("filled") AS DOUBLE) * (
            MAX("whole") - SUM("total")
          )
        ) / (
          CAST(MAX("filled") AS DOUBLE) * MAX("whole") * 2
        )
      ) AS "t_closeness",
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
), "measures_by_l_1" AS MATERIALIZED (
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
    MAX("absent") AS "absent",
    SUM(CASE WHEN "l_distinct" < 2.0 - 1e-09 THEN "classes" ELSE 0 END) AS "beyond_l_distinct_classes",
    SUM(CASE WHEN "l_distinct" < 2.0 - 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_l_distinct_records",
    SUM(
      CASE WHEN "recursive_c" >= 3.0 - 1e-09 OR "unbounded" = 1 THEN "classes" ELSE 0 END
    ) AS "beyond_recursive_c_classes",
    SUM(
      CASE
        WHEN "recursive_c" >= 3.0 - 1e-09 OR "unbounded" = 1
        THEN "classes" * "records"
        ELSE 0
      END
    ) AS "beyond_recursive_c_records",
    SUM(CASE WHEN "t_closeness" > 0.5 + 1e-09 THEN "classes" ELSE 0 END) AS "beyond_t_closeness_classes",
    SUM(CASE WHEN "t_closeness" > 0.5 + 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_t_closeness_records",
    SUM(CASE WHEN "basic_beta" > 1.0 + 1e-09 THEN "classes" ELSE 0 END) AS "beyond_basic_beta_classes",
    SUM(CASE WHEN "basic_beta" > 1.0 + 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_basic_beta_records"
  FROM "class_measures_1"
  GROUP BY
    "l_distinct"
), "mixed_values_2" AS (
  SELECT
    "class",
    "records",
    "filled_2" AS "filled",
    CASE WHEN "s_2" > 0 THEN "s_2" END AS "s",
    CAST(COUNT(*) AS BIGINT) AS "n"
  FROM "sensitive_rows"
  JOIN "sensitive_classes"
    USING ("class")
  WHERE
    "least_2" < "most_2" AND NOT CASE WHEN "s_2" > 0 THEN "s_2" END IS NULL
  GROUP BY
    "class",
    "records",
    "filled_2",
    CASE WHEN "s_2" > 0 THEN "s_2" END
), "sensitive_pairs_2" AS MATERIALIZED (
  SELECT
    "class",
    "records",
    "filled",
    CAST(1 AS BIGINT) AS "classes",
    "s",
    "n"
  FROM "mixed_values_2"
  UNION ALL
  SELECT
    -ROW_NUMBER() OVER (ORDER BY "records" NULLS FIRST, "filled_2" NULLS FIRST, "least_2" NULLS FIRST) AS "class",
    "records",
    "filled_2" AS "filled",
    CAST(COUNT(*) AS BIGINT) AS "classes",
    "least_2" AS "s",
    "filled_2" AS "n"
  FROM "sensitive_classes"
  WHERE
    "least_2" = "most_2"
  GROUP BY
    "records",
    "filled_2",
    "least_2"
), "sensitive_totals_2" AS MATERIALIZED (
  SELECT
    "s",
    CAST(SUM("n" * "classes") AS BIGINT) AS "total"
  FROM "sensitive_pairs_2"
  GROUP BY
    "s"
), "sensitive_values_2" AS (
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
    FROM "sensitive_totals_2"
  ) AS "value"
), "value_groups_2" AS (
  SELECT
    CASE WHEN "s_2" > 0 THEN "s_2" END AS "s",
    MAX("g_2") AS "g"
  FROM "sensitive_rows"
  WHERE
    NOT CASE WHEN "s_2" > 0 THEN "s_2" END IS NULL
  GROUP BY
    CASE WHEN "s_2" > 0 THEN "s_2" END
), "shares_2" AS (
  SELECT
    "class",
    "records",
    "filled",
    "classes",
    "n",
    "total",
    "whole",
    "distinct_values",
    ABS("n" * "whole" - "total" * CAST("filled" AS DOUBLE)) AS "distance",
    ABS("group_n" * "whole" - "group_total" * CAST("filled" AS DOUBLE)) / "of_group" AS "group_distance",
    "group_total" / "of_group" AS "group_total"
  FROM (
    SELECT
      "class",
      "records",
      "filled",
      "classes",
      CAST("n" AS DOUBLE) AS "n",
      "total",
      "whole",
      "distinct_values",
      "group_total",
      CAST(SUM("n") OVER (PARTITION BY "class", "g") AS DOUBLE) AS "group_n",
      CAST(COUNT(*) OVER (PARTITION BY "class", "g") AS DOUBLE) AS "of_group"
    FROM "sensitive_pairs_2"
    JOIN (
      SELECT
        "s",
        "g",
        "total",
        "whole",
        "distinct_values",
        CAST(SUM("total") OVER (PARTITION BY "g") AS DOUBLE) AS "group_total"
      FROM "sensitive_values_2"
      JOIN "value_groups_2"
        USING ("s")
    ) AS "grouped"
      USING ("s")
  ) AS "share"
), "class_measures_2" AS (
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
      (
        (
          (
            SUM("distance") + CAST(MAX("filled") AS DOUBLE) * (
              MAX("whole") - SUM("total")
            )
          ) / (
            CAST(MAX("filled") AS DOUBLE) * MAX("whole") * 2
          )
        ) + (
          (
            SUM("group_distance") + CAST(MAX("filled") AS DOUBLE) * (
              MAX("whole") - SUM("group_total")
            )
          ) / (
            CAST(MAX("filled") AS DOUBLE) * MAX("whole") * 2
          )
        )
      ) / 2 AS "t_closeness",
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
    FROM "shares_2"
    GROUP BY
      "class"
  ) AS "measured"
), "measures_by_l_2" AS MATERIALIZED (
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
    MAX("absent") AS "absent",
    SUM(CASE WHEN "l_distinct" < 2.0 - 1e-09 THEN "classes" ELSE 0 END) AS "beyond_l_distinct_classes",
    SUM(CASE WHEN "l_distinct" < 2.0 - 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_l_distinct_records",
    SUM(
      CASE WHEN "recursive_c" >= 3.0 - 1e-09 OR "unbounded" = 1 THEN "classes" ELSE 0 END
    ) AS "beyond_recursive_c_classes",
    SUM(
      CASE
        WHEN "recursive_c" >= 3.0 - 1e-09 OR "unbounded" = 1
        THEN "classes" * "records"
        ELSE 0
      END
    ) AS "beyond_recursive_c_records",
    SUM(CASE WHEN "t_closeness" > 0.5 + 1e-09 THEN "classes" ELSE 0 END) AS "beyond_t_closeness_classes",
    SUM(CASE WHEN "t_closeness" > 0.5 + 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_t_closeness_records",
    SUM(CASE WHEN "basic_beta" > 1.0 + 1e-09 THEN "classes" ELSE 0 END) AS "beyond_basic_beta_classes",
    SUM(CASE WHEN "basic_beta" > 1.0 + 1e-09 THEN "classes" * "records" ELSE 0 END) AS "beyond_basic_beta_records"
  FROM "class_measures_2"
  GROUP BY
    "l_distinct"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("sensitive_unconverted_2") AS BIGINT) AS "sensitive_unconverted_2",
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
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_records",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_records",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_records",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_records",
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
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
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
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_records",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_records",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_records",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_records",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_1"
UNION ALL
SELECT
  'sensitive' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
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
  CAST(SUM("beyond_l_distinct_classes") AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(SUM("beyond_l_distinct_records") AS BIGINT) AS "beyond_l_distinct_records",
  CAST(SUM("beyond_recursive_c_classes") AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(SUM("beyond_recursive_c_records") AS BIGINT) AS "beyond_recursive_c_records",
  CAST(SUM("beyond_t_closeness_classes") AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(SUM("beyond_t_closeness_records") AS BIGINT) AS "beyond_t_closeness_records",
  CAST(SUM("beyond_basic_beta_classes") AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(SUM("beyond_basic_beta_records") AS BIGINT) AS "beyond_basic_beta_records",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_1"
UNION ALL
SELECT
  'sensitive_whole' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
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
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_records",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_records",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_records",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_records",
  CAST((
    SELECT
      COUNT(*)
    FROM "sensitive_totals_1"
  ) AS BIGINT) AS "distinct_values",
  CAST(SUM(CASE WHEN "s_1" = 0 THEN 1 ELSE 0 END) AS BIGINT) AS "missing_values"
FROM "sensitive_rows"
UNION ALL
SELECT
  'l_histogram' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST("classes" AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
  2 AS "number",
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
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_records",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_records",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_records",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_records",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_2"
UNION ALL
SELECT
  'sensitive' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
  2 AS "number",
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
  CAST(SUM("beyond_l_distinct_classes") AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(SUM("beyond_l_distinct_records") AS BIGINT) AS "beyond_l_distinct_records",
  CAST(SUM("beyond_recursive_c_classes") AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(SUM("beyond_recursive_c_records") AS BIGINT) AS "beyond_recursive_c_records",
  CAST(SUM("beyond_t_closeness_classes") AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(SUM("beyond_t_closeness_records") AS BIGINT) AS "beyond_t_closeness_records",
  CAST(SUM("beyond_basic_beta_classes") AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(SUM("beyond_basic_beta_records") AS BIGINT) AS "beyond_basic_beta_records",
  CAST(NULL AS BIGINT) AS "distinct_values",
  CAST(NULL AS BIGINT) AS "missing_values"
FROM "measures_by_l_2"
UNION ALL
SELECT
  'sensitive_whole' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "sensitive_unconverted_2",
  2 AS "number",
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
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_classes",
  CAST(NULL AS BIGINT) AS "beyond_l_distinct_records",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_classes",
  CAST(NULL AS BIGINT) AS "beyond_recursive_c_records",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_classes",
  CAST(NULL AS BIGINT) AS "beyond_t_closeness_records",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_classes",
  CAST(NULL AS BIGINT) AS "beyond_basic_beta_records",
  CAST((
    SELECT
      COUNT(*)
    FROM "sensitive_totals_2"
  ) AS BIGINT) AS "distinct_values",
  CAST(SUM(CASE WHEN "s_2" = 0 THEN 1 ELSE 0 END) AS BIGINT) AS "missing_values"
FROM "sensitive_rows"
LIMIT 100001
