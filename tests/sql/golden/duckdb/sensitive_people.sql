WITH "release" AS MATERIALIZED (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."age" AS "qi_2",
    "source"."member_id" AS "entity",
    "source"."icd" AS "s_1",
    "source"."paid" AS "s_2",
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
), "release_qi_1" AS (
  SELECT
    COALESCE("code", 0) AS "qi_1",
    "qi_2",
    "entity",
    "s_1",
    "s_2",
    "unidentified"
  FROM "release"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "release_qi_2" AS (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "entity",
    "s_1",
    "s_2",
    "unidentified"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "release_s_1" AS (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    COALESCE("code", 0) AS "s_1",
    "s_2",
    "unidentified"
  FROM "release_qi_2"
  LEFT JOIN "s_1_codes"
    USING ("s_1")
), "release_s_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    "s_1",
    COALESCE("code", 0) AS "s_2",
    "unidentified"
  FROM "release_s_1"
  LEFT JOIN "s_2_codes"
    USING ("s_2")
), "first_half" AS (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM "release_s_2"
  GROUP BY
    "qi_1"
), "second_half" AS MATERIALIZED (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM "release_s_2"
  GROUP BY
    "qi_2"
), "numbered_release_s_2" AS (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    "s_1",
    "s_2",
    "unidentified",
    "one"."code" * (
      SELECT
        MAX("code") + 1
      FROM "second_half"
    ) + "two"."code" AS "tuple"
  FROM "release_s_2"
  JOIN "first_half" AS "one"
    USING ("qi_1")
  JOIN "second_half" AS "two"
    USING ("qi_2")
), "tuples" AS MATERIALIZED (
  SELECT
    "entity",
    "tuple" AS "tuple",
    "s_1",
    "s_2",
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
  FROM "numbered_release_s_2"
), "people" AS MATERIALIZED (
  SELECT
    "entity",
    CAST(LIST_SORT(ARRAY_AGG("tuple") FILTER(WHERE
      NOT "tuple" IS NULL)) AS TEXT) AS "person",
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
  FROM "people"
  GROUP BY
    "person"
), "person_numbers" AS (
  SELECT
    "person",
    ROW_NUMBER() OVER (ORDER BY "person" NULLS FIRST) AS "class",
    CAST(COUNT(*) AS BIGINT) AS "in_class"
  FROM "people"
  WHERE
    NOT "person" IS NULL
  GROUP BY
    "person"
), "people_classes" AS MATERIALIZED (
  SELECT
    "entity",
    "class",
    "in_class"
  FROM "people"
  JOIN "person_numbers"
    USING ("person")
), "sensitive_rows_1" AS MATERIALIZED (
  SELECT
    "class",
    "in_class",
    "s_1"
  FROM (
    SELECT
      "entity",
      "class",
      "in_class",
      "s_1"
    FROM "tuples"
    JOIN "people_classes"
      USING ("entity")
    WHERE
      NOT "tuple" IS NULL
    GROUP BY
      "entity",
      "class",
      "in_class",
      "s_1"
  ) AS "person_value"
), "sensitive_classes_1" AS MATERIALIZED (
  SELECT
    "class",
    CAST(MAX("in_class") AS BIGINT) AS "records",
    MIN("s_1") AS "least_1",
    MAX("s_1") AS "most_1",
    CAST(COUNT("s_1") AS BIGINT) AS "filled_1"
  FROM "sensitive_rows_1"
  GROUP BY
    "class"
), "mixed_values_1" AS (
  SELECT
    "class",
    "records",
    "filled_1" AS "filled",
    "s_1" AS "s",
    CAST(1 AS BIGINT) AS "n"
  FROM "sensitive_rows_1"
  JOIN "sensitive_classes_1"
    USING ("class")
  WHERE
    "records" = 1 AND "least_1" < "most_1" AND NOT "s_1" IS NULL
  UNION ALL
  SELECT
    "class",
    "records",
    "filled_1" AS "filled",
    "s_1" AS "s",
    CAST(COUNT(*) AS BIGINT) AS "n"
  FROM "sensitive_rows_1"
  JOIN "sensitive_classes_1"
    USING ("class")
  WHERE
    "records" > 1 AND "least_1" < "most_1" AND NOT "s_1" IS NULL
  GROUP BY
    "class",
    "records",
    "filled_1",
    "s_1"
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
  FROM "sensitive_classes_1"
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
    MAX("absent") AS "absent"
  FROM "class_measures_1"
  GROUP BY
    "l_distinct"
), "sensitive_rows_2" AS MATERIALIZED (
  SELECT
    "class",
    "in_class",
    "s_2"
  FROM (
    SELECT
      "entity",
      "class",
      "in_class",
      "s_2"
    FROM "tuples"
    JOIN "people_classes"
      USING ("entity")
    WHERE
      NOT "tuple" IS NULL
    GROUP BY
      "entity",
      "class",
      "in_class",
      "s_2"
  ) AS "person_value"
), "sensitive_classes_2" AS MATERIALIZED (
  SELECT
    "class",
    CAST(MAX("in_class") AS BIGINT) AS "records",
    MIN("s_2") AS "least_2",
    MAX("s_2") AS "most_2",
    CAST(COUNT("s_2") AS BIGINT) AS "filled_2"
  FROM "sensitive_rows_2"
  GROUP BY
    "class"
), "mixed_values_2" AS (
  SELECT
    "class",
    "records",
    "filled_2" AS "filled",
    "s_2" AS "s",
    CAST(1 AS BIGINT) AS "n"
  FROM "sensitive_rows_2"
  JOIN "sensitive_classes_2"
    USING ("class")
  WHERE
    "records" = 1 AND "least_2" < "most_2" AND NOT "s_2" IS NULL
  UNION ALL
  SELECT
    "class",
    "records",
    "filled_2" AS "filled",
    "s_2" AS "s",
    CAST(COUNT(*) AS BIGINT) AS "n"
  FROM "sensitive_rows_2"
  JOIN "sensitive_classes_2"
    USING ("class")
  WHERE
    "records" > 1 AND "least_2" < "most_2" AND NOT "s_2" IS NULL
  GROUP BY
    "class",
    "records",
    "filled_2",
    "s_2"
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
  FROM "sensitive_classes_2"
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
), "sensitive_values_2" AS MATERIALIZED (
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
), "ordered_shares_2" AS MATERIALIZED (
  SELECT
    "class",
    "records",
    "filled",
    "classes",
    CAST("n" AS DOUBLE) AS "n",
    "total",
    "whole",
    "distinct_values",
    "position",
    "upto",
    "before",
    "all_upto",
    CAST(SUM("n") OVER (
      PARTITION BY "class"
      ORDER BY "position" NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS BIGINT) AS "cumulated",
    MIN("position") OVER (
      PARTITION BY "class"
      ORDER BY "position" NULLS FIRST
      ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING
    ) AS "next_position",
    MIN("before") OVER (
      PARTITION BY "class"
      ORDER BY "position" NULLS FIRST
      ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING
    ) AS "next_before"
  FROM "sensitive_pairs_2"
  JOIN "sensitive_values_2"
    USING ("s")
), "ordered_crossings_2" AS (
  SELECT
    "cumulated",
    "filled",
    "reached",
    "reached_upto"
  FROM (
    SELECT
      "cumulated",
      "filled",
      "is_level",
      SUM(1 - "is_level") OVER (
        ORDER BY "share" NULLS FIRST, "is_level" NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS "reached",
      SUM("upto") OVER (
        ORDER BY "share" NULLS FIRST, "is_level" NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS "reached_upto"
    FROM (
      SELECT
        "cumulated",
        "filled",
        CAST("cumulated" AS DOUBLE) / CAST("filled" AS DOUBLE) AS "share",
        1 AS "is_level",
        CAST(0 AS DOUBLE) AS "upto"
      FROM "ordered_shares_2"
      WHERE
        "next_position" > "position" + 1
      GROUP BY
        "cumulated",
        "filled"
      UNION ALL
      SELECT
        CAST(NULL AS BIGINT) AS "cumulated",
        CAST(NULL AS BIGINT) AS "filled",
        "upto" / "whole" AS "share",
        0 AS "is_level",
        "upto"
      FROM "sensitive_values_2"
    ) AS "level"
  ) AS "crossing"
  WHERE
    "is_level" = 1
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
    CASE WHEN "cumulated" = "n" THEN "before" * "counted" ELSE 0 END + CASE
      WHEN "next_position" IS NULL
      THEN "counted" * (
        "whole" * (
          "distinct_values" - "position" + 1
        ) - (
          "all_upto" - "before"
        )
      )
      WHEN "next_position" = "position" + 1
      THEN ABS("cumulated" * "whole" - "upto" * "counted")
      ELSE "cumulated" * "whole" * (
        2 * "crossed" - "position" - "next_position" + 2
      ) - "counted" * (
        2 * "crossed_upto" - "before" - "next_before"
      )
    END AS "distance"
  FROM (
    SELECT
      "class",
      "records",
      "filled",
      CAST("filled" AS DOUBLE) AS "counted",
      "classes",
      "n",
      "total",
      "whole",
      "distinct_values",
      "position",
      "upto",
      "before",
      "all_upto",
      CAST("cumulated" AS DOUBLE) AS "cumulated",
      "next_position",
      "next_before",
      CASE
        WHEN "reached" < "position"
        THEN "position" - 1
        WHEN "reached" >= "next_position"
        THEN "next_position" - 1
        ELSE "reached"
      END AS "crossed",
      CASE
        WHEN "reached" < "position"
        THEN "before"
        WHEN "reached" >= "next_position"
        THEN "next_before"
        ELSE "reached_upto"
      END AS "crossed_upto"
    FROM "ordered_shares_2"
    LEFT JOIN "ordered_crossings_2"
      USING ("cumulated", "filled")
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
      CASE
        WHEN MAX("distinct_values") <= 1
        THEN 0
        ELSE SUM("distance") / (
          CAST(MAX("filled") AS DOUBLE) * MAX("whole") * (
            MAX("distinct_values") - 1
          )
        )
      END AS "t_closeness",
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
    MAX("absent") AS "absent"
  FROM "class_measures_2"
  GROUP BY
    "l_distinct"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "measured",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing",
  CAST(NULL AS BIGINT) AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
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
  "measured"
UNION ALL
SELECT
  'l_histogram' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST("classes" AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST("records" AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  1 AS "number",
  CAST("l_distinct" AS BIGINT) AS "l_distinct",
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
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  1 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
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
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  1 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
  CAST(NULL AS DOUBLE) AS "l_entropy",
  CAST(NULL AS DOUBLE) AS "alpha",
  CAST(NULL AS DOUBLE) AS "recursive_c",
  CAST(NULL AS BIGINT) AS "unbounded",
  CAST(NULL AS DOUBLE) AS "t_closeness",
  CAST(NULL AS DOUBLE) AS "basic_beta",
  CAST(NULL AS BIGINT) AS "unattainable",
  CAST(NULL AS DOUBLE) AS "delta_present",
  CAST(NULL AS BIGINT) AS "absent",
  CAST((
    SELECT
      COUNT(*)
    FROM "sensitive_totals_1"
  ) AS BIGINT) AS "distinct_values",
  CAST(SUM(CASE WHEN "s_1" = 0 THEN 1 ELSE 0 END) AS BIGINT) AS "missing_values"
FROM "sensitive_rows_1"
UNION ALL
SELECT
  'l_histogram' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST("classes" AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST("records" AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  2 AS "number",
  CAST("l_distinct" AS BIGINT) AS "l_distinct",
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
FROM "measures_by_l_2"
UNION ALL
SELECT
  'sensitive' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  2 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
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
FROM "measures_by_l_2"
UNION ALL
SELECT
  'sensitive_whole' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  2 AS "number",
  CAST(NULL AS BIGINT) AS "l_distinct",
  CAST(NULL AS DOUBLE) AS "l_entropy",
  CAST(NULL AS DOUBLE) AS "alpha",
  CAST(NULL AS DOUBLE) AS "recursive_c",
  CAST(NULL AS BIGINT) AS "unbounded",
  CAST(NULL AS DOUBLE) AS "t_closeness",
  CAST(NULL AS DOUBLE) AS "basic_beta",
  CAST(NULL AS BIGINT) AS "unattainable",
  CAST(NULL AS DOUBLE) AS "delta_present",
  CAST(NULL AS BIGINT) AS "absent",
  CAST((
    SELECT
      COUNT(*)
    FROM "sensitive_totals_2"
  ) AS BIGINT) AS "distinct_values",
  CAST(SUM(CASE WHEN "s_2" = 0 THEN 1 ELSE 0 END) AS BIGINT) AS "missing_values"
FROM "sensitive_rows_2"
LIMIT 100001
