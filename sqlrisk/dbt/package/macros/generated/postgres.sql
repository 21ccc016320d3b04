{#- Written by `python -m sqlrisk.dbt.generate` from sql_templates/. Not to be changed by hand. -#}
{% macro postgres__sqlrisk_release(slots, reads) -%}
SELECT
  {{ slots['quasi_identifiers'] | join(',\n  ') }}{% for item in slots['entity'] %},
  {{ item }}{% endfor %}{% for item in slots['sensitive'] %},
  {{ item }}{% endfor %}{% for item in slots['tallies'] %},
  {{ item }}{% endfor %}
FROM {{ slots['source'][0] }} AS "source"
{%- endmacro %}

{% macro postgres__sqlrisk_classes(slots, reads) -%}
SELECT
  {% for item in slots['kept'] %}{{ item }},
  {% endfor %}CAST(COUNT(*) AS BIGINT) AS "size",
  {{ slots['missing'][0] }} AS "missing"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['release'] }}
GROUP BY
  {{ slots['quasi_identifiers'] | join(',\n  ') }}
{%- endmacro %}

{% macro postgres__sqlrisk_everyone(slots, reads) -%}
SELECT
  {% for item in slots['quasi_identifiers'] %}{{ item }},
  {% endfor %}1 AS "in_release",
  0 AS "in_population"{% for item in slots['release_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['release'] }}
UNION ALL
SELECT
  {% for item in slots['quasi_identifiers'] %}{{ item }},
  {% endfor %}0 AS "in_release",
  1 AS "in_population"{% for item in slots['population_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['population'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_joint_classes(slots, reads) -%}
SELECT
  {% for item in slots['kept'] %}{{ item }},
  {% endfor %}CAST(SUM("in_release") AS BIGINT) AS "size",
  CAST(SUM("in_population") AS BIGINT) AS "population_size",
  {{ slots['missing'][0] }} AS "missing"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['everyone'] }}
GROUP BY
  {{ slots['quasi_identifiers'] | join(',\n  ') }}
{%- endmacro %}

{% macro postgres__sqlrisk_population_people(slots, reads) -%}
SELECT
  "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %},
  {{ slots['measured'][0] }} AS "measured"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['population'] }}
GROUP BY
  "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %}
{%- endmacro %}

{% macro postgres__sqlrisk_both(slots, reads) -%}
SELECT
  {{ slots['quasi_identifiers'] | join(',\n  ') }}
FROM {{ reads['release'] }}
UNION ALL
SELECT
  {{ slots['quasi_identifiers'] | join(',\n  ') }}
FROM {{ reads['population'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_dictionary(slots, reads) -%}
SELECT
  {% for item in slots['column'] %}{{ item }},
  {% endfor %}ROW_NUMBER() OVER (ORDER BY {{ slots['column'] | join(' NULLS FIRST, ') }} NULLS FIRST) AS "code"
FROM (
  SELECT
    {{ slots['column'] | join(',\n  ') }}
  FROM {{ reads['release'] }}
  WHERE
    NOT {{ slots['column'][0] }} IS NULL
  GROUP BY
    {{ slots['column'] | join(',\n  ') }}
) AS "value"
{%- endmacro %}

{% macro postgres__sqlrisk_coded(slots, reads) -%}
SELECT
  {{ slots['columns'] | join(',\n  ') }}
FROM {{ reads['release'] }}
LEFT JOIN {{ reads['dictionary'] }}
  USING ({{ slots['column'] | join(',\n  ') }})
{%- endmacro %}

{% macro postgres__sqlrisk_half_tuples(slots, reads) -%}
SELECT
  {% for item in slots['half'] %}{{ item }},
  {% endfor %}ROW_NUMBER() OVER (ORDER BY {{ slots['half'] | join(' NULLS FIRST, ') }} NULLS FIRST) AS "code"
FROM {{ reads['coded'] }}
GROUP BY
  {{ slots['half'] | join(',\n  ') }}
{%- endmacro %}

{% macro postgres__sqlrisk_numbered(slots, reads) -%}
SELECT
  {% for item in slots['columns'] %}{{ item }},
  {% endfor %}"one"."code" * (
    SELECT
      MAX("code") + 1
    FROM {{ reads['second_half'] }}
  ) + "two"."code" AS "tuple"
FROM {{ reads['coded'] }}
JOIN {{ reads['first_half'] }} AS "one"
  USING ({{ slots['first'] | join(',\n  ') }})
JOIN {{ reads['second_half'] }} AS "two"
  USING ({{ slots['second'] | join(',\n  ') }})
{%- endmacro %}

{% macro postgres__sqlrisk_tuples(slots, reads) -%}
SELECT
  "entity",
  {{ slots['tuple'][0] }} AS "tuple"{% for item in slots['sensitive'] %},
  {{ item }}{% endfor %}{% for item in slots['row_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['release'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_people_multiset(slots, reads) -%}
SELECT
  "entity",
  {{ slots['person'][0] }} AS "person"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['tuples'] }}
GROUP BY
  "entity"
{%- endmacro %}

{% macro postgres__sqlrisk_classes_of_people(slots, reads) -%}
SELECT
  CAST(COUNT(*) AS BIGINT) AS "size",
  CASE WHEN "person" IS NULL THEN 0 ELSE 1 END AS "measured"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['people'] }}
GROUP BY
  "person"
{%- endmacro %}

{% macro postgres__sqlrisk_everyone_multiset(slots, reads) -%}
SELECT
  "person",
  1 AS "in_release",
  0 AS "in_population"{% for item in slots['release_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['people'] }}
UNION ALL
SELECT
  "person",
  0 AS "in_release",
  1 AS "in_population"{% for item in slots['population_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['population_people'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_joint_classes_of_people(slots, reads) -%}
SELECT
  CAST(SUM("in_release") AS BIGINT) AS "size",
  CAST(SUM("in_population") AS BIGINT) AS "population_size",
  CASE WHEN "person" IS NULL THEN 0 ELSE 1 END AS "measured"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['everyone'] }}
GROUP BY
  "person"
{%- endmacro %}

{% macro postgres__sqlrisk_pairs(slots, reads) -%}
SELECT
  "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %},
  {{ slots['measured'][0] }} AS "measured"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['release'] }}
GROUP BY
  "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %}
{%- endmacro %}

{% macro postgres__sqlrisk_pair_sizes(slots, reads) -%}
SELECT
  "entity",
  CAST(SUM("measured") OVER (PARTITION BY {{ slots['partition'] | join(',\n  ') }}) AS BIGINT) AS "size",
  "measured"{% for item in slots['row_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['pairs'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_people_distinct(slots, reads) -%}
SELECT
  "entity",
  MIN(CASE WHEN "measured" = 1 THEN "size" END) AS "size"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['pair_sizes'] }}
GROUP BY
  "entity"
{%- endmacro %}

{% macro postgres__sqlrisk_everyone_distinct(slots, reads) -%}
SELECT
  "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %},
  1 AS "in_release",
  "measured"{% for item in slots['release_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['pairs'] }}
UNION ALL
SELECT
  NULL AS "entity"{% for item in slots['quasi_identifiers'] %},
  {{ item }}{% endfor %},
  0 AS "in_release",
  {{ slots['population_measured'][0] }} AS "measured"{% for item in slots['population_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['population'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_joint_pair_sizes(slots, reads) -%}
SELECT
  "entity",
  "in_release",
  CAST(SUM("in_release" * "measured") OVER (PARTITION BY {{ slots['partition'] | join(',\n  ') }}) AS BIGINT) AS "size",
  CAST(SUM((
    1 - "in_release"
  ) * "measured") OVER (PARTITION BY {{ slots['partition'] | join(',\n  ') }}) AS BIGINT) AS "population_size",
  "measured"{% for item in slots['row_tallies'] %},
  {{ item }}{% endfor %}
FROM {{ reads['everyone'] }}
{%- endmacro %}

{% macro postgres__sqlrisk_joint_people_distinct(slots, reads) -%}
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
  ) AS "fewer"{% for item in slots['tally_sums'] %},
  {{ item }}{% endfor %}
FROM {{ reads['pair_sizes'] }}
GROUP BY
  "entity",
  "in_release"
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_rows(slots, reads) -%}
SELECT
  "class"{% for item in slots['values'] %},
  {{ item }}{% endfor %}
FROM (
  SELECT
    {{ slots['class'][0] }} AS "class"{% for item in slots['values'] %},
  {{ item }}{% endfor %}
  FROM {{ reads['numbered'] }}
) AS "record"
WHERE
  NOT "class" IS NULL
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_rows_of_people(slots, reads) -%}
SELECT
  "class",
  "in_class"{% for item in slots['values'] %},
  {{ item }}{% endfor %}
FROM (
  SELECT
    "entity",
    "class",
    "in_class"{% for item in slots['values'] %},
  {{ item }}{% endfor %}
  FROM {{ reads['tuples'] }}
  JOIN {{ reads['people_classes'] }}
    USING ("entity")
  WHERE
    NOT "tuple" IS NULL
  GROUP BY
    "entity",
    "class",
    "in_class"{% for item in slots['values'] %},
  {{ item }}{% endfor %}
) AS "person_value"
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_classes(slots, reads) -%}
SELECT
  "class",
  CAST({{ slots['records'][0] }} AS BIGINT) AS "records"{% for item in slots['spreads'] %},
  {{ item }}{% endfor %}
FROM {{ reads['sensitive_rows'] }}
GROUP BY
  "class"
{%- endmacro %}

{% macro postgres__sqlrisk_person_numbers(slots, reads) -%}
SELECT
  "person",
  ROW_NUMBER() OVER (ORDER BY "person" NULLS FIRST) AS "class",
  CAST(COUNT(*) AS BIGINT) AS "in_class"
FROM {{ reads['people'] }}
WHERE
  NOT "person" IS NULL
GROUP BY
  "person"
{%- endmacro %}

{% macro postgres__sqlrisk_people_classes(slots, reads) -%}
SELECT
  "entity",
  "class",
  "in_class"
FROM {{ reads['people'] }}
JOIN {{ reads['person_numbers'] }}
  USING ("person")
{%- endmacro %}

{% macro postgres__sqlrisk_mixed_values(slots, reads) -%}
SELECT
  "class",
  "records",
  {{ slots['filled'][0] }} AS "filled",
  {{ slots['value'][0] }} AS "s",
  CAST(COUNT(*) AS BIGINT) AS "n"
FROM {{ reads['sensitive_rows'] }}
JOIN {{ reads['sensitive_classes'] }}
  USING ("class")
WHERE
  {{ slots['least'][0] }} < {{ slots['most'][0] }} AND NOT {{ slots['value'][0] }} IS NULL
GROUP BY
  "class",
  "records"{% for item in slots['filled'] %},
  {{ item }}{% endfor %}{% for item in slots['value'] %},
  {{ item }}{% endfor %}
{%- endmacro %}

{% macro postgres__sqlrisk_mixed_values_of_people(slots, reads) -%}
SELECT
  "class",
  "records",
  {{ slots['filled'][0] }} AS "filled",
  {{ slots['value'][0] }} AS "s",
  CAST(1 AS BIGINT) AS "n"
FROM {{ reads['sensitive_rows'] }}
JOIN {{ reads['sensitive_classes'] }}
  USING ("class")
WHERE
  "records" = 1 AND {{ slots['least'][0] }} < {{ slots['most'][0] }} AND NOT {{ slots['value'][0] }} IS NULL
UNION ALL
SELECT
  "class",
  "records",
  {{ slots['filled'][0] }} AS "filled",
  {{ slots['value'][0] }} AS "s",
  CAST(COUNT(*) AS BIGINT) AS "n"
FROM {{ reads['sensitive_rows'] }}
JOIN {{ reads['sensitive_classes'] }}
  USING ("class")
WHERE
  "records" > 1 AND {{ slots['least'][0] }} < {{ slots['most'][0] }} AND NOT {{ slots['value'][0] }} IS NULL
GROUP BY
  "class",
  "records"{% for item in slots['filled'] %},
  {{ item }}{% endfor %}{% for item in slots['value'] %},
  {{ item }}{% endfor %}
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_pairs(slots, reads) -%}
SELECT
  "class",
  "records",
  "filled",
  CAST(1 AS BIGINT) AS "classes",
  "s",
  "n"
FROM {{ reads['mixed_values'] }}
UNION ALL
SELECT
  -ROW_NUMBER() OVER (
    ORDER BY "records" NULLS FIRST, {{ slots['filled'] | join(' NULLS FIRST, ') }} NULLS FIRST, {{ slots['least'] | join(' NULLS FIRST, ') }} NULLS FIRST
  ) AS "class",
  "records",
  {{ slots['filled'][0] }} AS "filled",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  {{ slots['least'][0] }} AS "s",
  {{ slots['filled'][0] }} AS "n"
FROM {{ reads['sensitive_classes'] }}
WHERE
  {{ slots['least'][0] }} = {{ slots['most'][0] }}
GROUP BY
  "records"{% for item in slots['filled'] %},
  {{ item }}{% endfor %}{% for item in slots['least'] %},
  {{ item }}{% endfor %}
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_totals(slots, reads) -%}
SELECT
  "s",
  CAST(SUM("n" * "classes") AS BIGINT) AS "total"
FROM {{ reads['sensitive_pairs'] }}
GROUP BY
  "s"
{%- endmacro %}

{% macro postgres__sqlrisk_sensitive_values(slots, reads) -%}
SELECT
  "s",
  "total",
  "whole",
  "distinct_values",
  "position",
  "upto",
  SUM("upto") OVER (ORDER BY "position" NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - "upto" AS "before",
  CAST(SUM("upto") OVER () AS DOUBLE PRECISION) AS "all_upto"
FROM (
  SELECT
    "s",
    CAST("total" AS DOUBLE PRECISION) AS "total",
    CAST(SUM("total") OVER () AS DOUBLE PRECISION) AS "whole",
    CAST(COUNT(*) OVER () AS BIGINT) AS "distinct_values",
    ROW_NUMBER() OVER (ORDER BY "s" NULLS FIRST) AS "position",
    CAST(SUM("total") OVER (ORDER BY "s" NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE PRECISION) AS "upto"
  FROM {{ reads['sensitive_totals'] }}
) AS "value"
{%- endmacro %}

{% macro postgres__sqlrisk_categorical_shares(slots, reads) -%}
SELECT
  "class",
  "records",
  "filled",
  "classes",
  CAST("n" AS DOUBLE PRECISION) AS "n",
  "total",
  "whole",
  "distinct_values",
  ABS(
    CAST("n" AS DOUBLE PRECISION) * "whole" - "total" * CAST("filled" AS DOUBLE PRECISION)
  ) AS "distance"
FROM {{ reads['sensitive_pairs'] }}
JOIN {{ reads['sensitive_values'] }}
  USING ("s")
{%- endmacro %}

{% macro postgres__sqlrisk_ordered_shares(slots, reads) -%}
SELECT
  "class",
  "records",
  "filled",
  "classes",
  CAST("n" AS DOUBLE PRECISION) AS "n",
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
FROM {{ reads['sensitive_pairs'] }}
JOIN {{ reads['sensitive_values'] }}
  USING ("s")
{%- endmacro %}

{% macro postgres__sqlrisk_ordered_crossings(slots, reads) -%}
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
      CAST("cumulated" AS DOUBLE PRECISION) / CAST("filled" AS DOUBLE PRECISION) AS "share",
      1 AS "is_level",
      CAST(0 AS DOUBLE PRECISION) AS "upto"
    FROM {{ reads['ordered_shares'] }}
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
    FROM {{ reads['sensitive_values'] }}
  ) AS "level"
) AS "crossing"
WHERE
  "is_level" = 1
{%- endmacro %}

{% macro postgres__sqlrisk_ordered_distances(slots, reads) -%}
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
    CAST("filled" AS DOUBLE PRECISION) AS "counted",
    "classes",
    "n",
    "total",
    "whole",
    "distinct_values",
    "position",
    "upto",
    "before",
    "all_upto",
    CAST("cumulated" AS DOUBLE PRECISION) AS "cumulated",
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
  FROM {{ reads['ordered_shares'] }}
  LEFT JOIN {{ reads['ordered_crossings'] }}
    USING ("cumulated", "filled")
) AS "share"
{%- endmacro %}

{% macro postgres__sqlrisk_class_measures(slots, reads) -%}
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
    CAST(MAX("filled") AS DOUBLE PRECISION) AS "counted",
    COUNT(*) AS "l_distinct",
    MAX("distinct_values") AS "distinct_values",
    SUM("n" * LN("n")) AS "n_ln_n",
    MAX("n") AS "most",
    {{ slots['tail'][0] }} AS "tail",
    {{ slots['t_closeness'][0] }} AS "t_closeness",
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
  FROM {{ reads['shares'] }}
  GROUP BY
    "class"
) AS "measured"
{%- endmacro %}

{% macro postgres__sqlrisk_measures_by_l(slots, reads) -%}
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
FROM {{ reads['class_measures'] }}
GROUP BY
  "l_distinct"
{%- endmacro %}

{% macro postgres__sqlrisk_dictionary_bytewise(slots, reads) -%}
SELECT
  {% for item in slots['column'] %}{{ item }},
  {% endfor %}ROW_NUMBER() OVER (ORDER BY {{ slots['column'] | join(', ') }} COLLATE "C" NULLS FIRST) AS "code"
FROM (
  SELECT
    {{ slots['column'] | join(',\n  ') }}
  FROM {{ reads['release'] }}
  WHERE
    NOT {{ slots['column'][0] }} IS NULL
  GROUP BY
    {{ slots['column'] | join(',\n  ') }}
) AS "value"
{%- endmacro %}

{% macro postgres__sqlrisk_arm_class_sizes(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'class_sizes' AS \"arm\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "missing", 'type': "BIGINT", 'sql': "\"missing\""}] +
  [{'name': "classes", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"classes\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['classes'] }}
GROUP BY
  "size",
  "missing"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_joint_sizes(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'class_sizes' AS \"arm\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "population_size", 'type': "BIGINT", 'sql': "\"population_size\""}] +
  [{'name': "missing", 'type': "BIGINT", 'sql': "\"missing\""}] +
  [{'name': "classes", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"classes\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['classes'] }}
GROUP BY
  "size",
  "population_size",
  "missing"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_population_size(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'population' AS \"arm\""}] +
  [{'name': "people", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"people\""}] -%}
{%- set tail -%}
FROM (
  SELECT
    "entity"
  FROM {{ reads['population_people'] }}
  WHERE
    "measured" = 1
  GROUP BY
    "entity"
) AS "person"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_class_sizes_of_people(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'class_sizes' AS \"arm\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "measured", 'type': "BIGINT", 'sql': "\"measured\""}] +
  [{'name': "classes", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"classes\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['classes'] }}
GROUP BY
  "size",
  "measured"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_joint_sizes_of_people(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'class_sizes' AS \"arm\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "population_size", 'type': "BIGINT", 'sql': "\"population_size\""}] +
  [{'name': "measured", 'type': "BIGINT", 'sql': "\"measured\""}] +
  [{'name': "classes", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"classes\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['classes'] }}
GROUP BY
  "size",
  "population_size",
  "measured"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_record_sizes(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'record_sizes' AS \"arm\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "people", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"people\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['people'] }}
GROUP BY
  "size"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_joint_record_sizes(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'record_sizes' AS \"arm\""}] +
  [{'name': "in_release", 'type': "BIGINT", 'sql': "\"in_release\""}] +
  [{'name': "size", 'type': "BIGINT", 'sql': "\"size\""}] +
  [{'name': "population_size", 'type': "BIGINT", 'sql': "\"population_size\""}] +
  [{'name': "people", 'type': "BIGINT", 'sql': "CAST(COUNT(*) AS BIGINT) AS \"people\""}] +
  [{'name': "population_people", 'type': "BIGINT", 'sql': "CAST(SUM(\"population_people\") AS BIGINT) AS \"population_people\""}] +
  [{'name': "absent", 'type': "BIGINT", 'sql': "CAST(SUM(\"absent\") AS BIGINT) AS \"absent\""}] +
  [{'name': "fewer", 'type': "BIGINT", 'sql': "CAST(SUM(\"fewer\") AS BIGINT) AS \"fewer\""}] +
  slots["tally_sums"] -%}
{%- set tail -%}
FROM {{ reads['people'] }}
GROUP BY
  "in_release",
  "size",
  "population_size"
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_l_histogram(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'l_histogram' AS \"arm\""}] +
  [{'name': "number", 'type': "BIGINT", 'sql': "" ~ slots["number"][0] ~ " AS \"number\""}] +
  [{'name': "l_distinct", 'type': "BIGINT", 'sql': "CAST(\"l_distinct\" AS BIGINT) AS \"l_distinct\""}] +
  [{'name': "classes", 'type': "BIGINT", 'sql': "CAST(\"classes\" AS BIGINT) AS \"classes\""}] +
  [{'name': "records", 'type': "BIGINT", 'sql': "CAST(\"records\" AS BIGINT) AS \"records\""}] -%}
{%- set tail -%}
FROM {{ reads['measures_by_l'] }}
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_sensitive(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'sensitive' AS \"arm\""}] +
  [{'name': "number", 'type': "BIGINT", 'sql': "" ~ slots["number"][0] ~ " AS \"number\""}] +
  [{'name': "l_entropy", 'type': "DOUBLE PRECISION", 'sql': "CAST(MIN(\"l_entropy\") AS DOUBLE PRECISION) AS \"l_entropy\""}] +
  [{'name': "alpha", 'type': "DOUBLE PRECISION", 'sql': "CAST(MAX(\"alpha\") AS DOUBLE PRECISION) AS \"alpha\""}] +
  [{'name': "recursive_c", 'type': "DOUBLE PRECISION", 'sql': "CAST(MAX(\"recursive_c\") AS DOUBLE PRECISION) AS \"recursive_c\""}] +
  [{'name': "unbounded", 'type': "BIGINT", 'sql': "CAST(MAX(\"unbounded\") AS BIGINT) AS \"unbounded\""}] +
  [{'name': "t_closeness", 'type': "DOUBLE PRECISION", 'sql': "CAST(MAX(\"t_closeness\") AS DOUBLE PRECISION) AS \"t_closeness\""}] +
  [{'name': "basic_beta", 'type': "DOUBLE PRECISION", 'sql': "CAST(MAX(\"basic_beta\") AS DOUBLE PRECISION) AS \"basic_beta\""}] +
  [{'name': "unattainable", 'type': "BIGINT", 'sql': "CAST(MAX(\"unattainable\") AS BIGINT) AS \"unattainable\""}] +
  [{'name': "delta_present", 'type': "DOUBLE PRECISION", 'sql': "CAST(MAX(\"delta_present\") AS DOUBLE PRECISION) AS \"delta_present\""}] +
  [{'name': "absent", 'type': "BIGINT", 'sql': "CAST(MAX(\"absent\") AS BIGINT) AS \"absent\""}] -%}
{%- set tail -%}
FROM {{ reads['measures_by_l'] }}
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_arm_sensitive_whole(slots, reads) -%}
{%- set columns = [{'name': "arm", 'type': "BIGINT", 'sql': "'sensitive_whole' AS \"arm\""}] +
  [{'name': "number", 'type': "BIGINT", 'sql': "" ~ slots["number"][0] ~ " AS \"number\""}] +
  [{'name': "distinct_values", 'type': "BIGINT", 'sql': "CAST((SELECT COUNT(*) FROM " ~ reads["sensitive_totals"] ~ ") AS BIGINT) AS \"distinct_values\""}] +
  [{'name': "missing_values", 'type': "BIGINT", 'sql': "CAST(SUM(" ~ slots["missing"][0] ~ ") AS BIGINT) AS \"missing_values\""}] -%}
{%- set tail -%}
FROM {{ reads['sensitive_rows'] }}
{%- endset -%}
{{ return({'columns': columns, 'tail': tail}) }}
{%- endmacro %}

{% macro postgres__sqlrisk_step(name, slots, reads) -%}
{%- if name == 'release' -%}{{ return(sqlrisk.postgres__sqlrisk_release(slots, reads)) }}
{%- elif name == 'classes' -%}{{ return(sqlrisk.postgres__sqlrisk_classes(slots, reads)) }}
{%- elif name == 'everyone' -%}{{ return(sqlrisk.postgres__sqlrisk_everyone(slots, reads)) }}
{%- elif name == 'joint_classes' -%}{{ return(sqlrisk.postgres__sqlrisk_joint_classes(slots, reads)) }}
{%- elif name == 'population_people' -%}{{ return(sqlrisk.postgres__sqlrisk_population_people(slots, reads)) }}
{%- elif name == 'both' -%}{{ return(sqlrisk.postgres__sqlrisk_both(slots, reads)) }}
{%- elif name == 'dictionary' -%}{{ return(sqlrisk.postgres__sqlrisk_dictionary(slots, reads)) }}
{%- elif name == 'coded' -%}{{ return(sqlrisk.postgres__sqlrisk_coded(slots, reads)) }}
{%- elif name == 'half_tuples' -%}{{ return(sqlrisk.postgres__sqlrisk_half_tuples(slots, reads)) }}
{%- elif name == 'numbered' -%}{{ return(sqlrisk.postgres__sqlrisk_numbered(slots, reads)) }}
{%- elif name == 'tuples' -%}{{ return(sqlrisk.postgres__sqlrisk_tuples(slots, reads)) }}
{%- elif name == 'people_multiset' -%}{{ return(sqlrisk.postgres__sqlrisk_people_multiset(slots, reads)) }}
{%- elif name == 'classes_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_classes_of_people(slots, reads)) }}
{%- elif name == 'everyone_multiset' -%}{{ return(sqlrisk.postgres__sqlrisk_everyone_multiset(slots, reads)) }}
{%- elif name == 'joint_classes_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_joint_classes_of_people(slots, reads)) }}
{%- elif name == 'pairs' -%}{{ return(sqlrisk.postgres__sqlrisk_pairs(slots, reads)) }}
{%- elif name == 'pair_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_pair_sizes(slots, reads)) }}
{%- elif name == 'people_distinct' -%}{{ return(sqlrisk.postgres__sqlrisk_people_distinct(slots, reads)) }}
{%- elif name == 'everyone_distinct' -%}{{ return(sqlrisk.postgres__sqlrisk_everyone_distinct(slots, reads)) }}
{%- elif name == 'joint_pair_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_joint_pair_sizes(slots, reads)) }}
{%- elif name == 'joint_people_distinct' -%}{{ return(sqlrisk.postgres__sqlrisk_joint_people_distinct(slots, reads)) }}
{%- elif name == 'sensitive_rows' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_rows(slots, reads)) }}
{%- elif name == 'sensitive_rows_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_rows_of_people(slots, reads)) }}
{%- elif name == 'sensitive_classes' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_classes(slots, reads)) }}
{%- elif name == 'person_numbers' -%}{{ return(sqlrisk.postgres__sqlrisk_person_numbers(slots, reads)) }}
{%- elif name == 'people_classes' -%}{{ return(sqlrisk.postgres__sqlrisk_people_classes(slots, reads)) }}
{%- elif name == 'mixed_values' -%}{{ return(sqlrisk.postgres__sqlrisk_mixed_values(slots, reads)) }}
{%- elif name == 'mixed_values_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_mixed_values_of_people(slots, reads)) }}
{%- elif name == 'sensitive_pairs' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_pairs(slots, reads)) }}
{%- elif name == 'sensitive_totals' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_totals(slots, reads)) }}
{%- elif name == 'sensitive_values' -%}{{ return(sqlrisk.postgres__sqlrisk_sensitive_values(slots, reads)) }}
{%- elif name == 'categorical_shares' -%}{{ return(sqlrisk.postgres__sqlrisk_categorical_shares(slots, reads)) }}
{%- elif name == 'ordered_shares' -%}{{ return(sqlrisk.postgres__sqlrisk_ordered_shares(slots, reads)) }}
{%- elif name == 'ordered_crossings' -%}{{ return(sqlrisk.postgres__sqlrisk_ordered_crossings(slots, reads)) }}
{%- elif name == 'ordered_distances' -%}{{ return(sqlrisk.postgres__sqlrisk_ordered_distances(slots, reads)) }}
{%- elif name == 'class_measures' -%}{{ return(sqlrisk.postgres__sqlrisk_class_measures(slots, reads)) }}
{%- elif name == 'measures_by_l' -%}{{ return(sqlrisk.postgres__sqlrisk_measures_by_l(slots, reads)) }}
{%- elif name == 'dictionary_bytewise' -%}{{ return(sqlrisk.postgres__sqlrisk_dictionary_bytewise(slots, reads)) }}
{%- endif -%}
{%- endmacro %}

{% macro postgres__sqlrisk_arm(name, slots, reads) -%}
{%- if name == 'class_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_class_sizes(slots, reads)) }}
{%- elif name == 'joint_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_joint_sizes(slots, reads)) }}
{%- elif name == 'population_size' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_population_size(slots, reads)) }}
{%- elif name == 'class_sizes_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_class_sizes_of_people(slots, reads)) }}
{%- elif name == 'joint_sizes_of_people' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_joint_sizes_of_people(slots, reads)) }}
{%- elif name == 'record_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_record_sizes(slots, reads)) }}
{%- elif name == 'joint_record_sizes' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_joint_record_sizes(slots, reads)) }}
{%- elif name == 'l_histogram' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_l_histogram(slots, reads)) }}
{%- elif name == 'sensitive' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_sensitive(slots, reads)) }}
{%- elif name == 'sensitive_whole' -%}{{ return(sqlrisk.postgres__sqlrisk_arm_sensitive_whole(slots, reads)) }}
{%- endif -%}
{%- endmacro %}

{% macro postgres__sqlrisk_patterns() -%}
{{ return({
  "plain integer": "@given@",
  "plain integer is": "integer|never fails",
  "plain decimal": "@given@",
  "plain decimal is": "decimal|never fails",
  "plain float": "@given@",
  "plain float is": "float|never fails",
  "plain text": "@given@",
  "plain text is": "text|never fails",
  "plain boolean": "@given@",
  "plain boolean is": "boolean|never fails",
  "plain date": "@given@",
  "plain date is": "date|never fails",
  "plain timestamp": "@given@",
  "plain timestamp is": "timestamp|never fails",
  "plain timestamp with time zone": "@given@",
  "plain timestamp with time zone is": "timestamp with time zone|never fails",
  "plain time": "@given@",
  "plain time is": "time|never fails",
  "plain other": "@given@",
  "plain other is": "other|never fails",
  "band 0 integer": "CAST(@given@ AS BIGINT) - ((CAST(@given@ AS BIGINT) % @width@ + @width@) % @width@)",
  "band 0 integer is": "integer|never fails",
  "band 0 decimal": "CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000000000 AND 9000000000000000 THEN @given@ END) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@",
  "band 0 decimal is": "integer|may fail",
  "band 0 float": "CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000000000 AND 9000000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@",
  "band 0 float is": "integer|may fail",
  "band 0 text": "CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DOUBLE PRECISION) END) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@",
  "band 0 text is": "integer|may fail",
  "band 1 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000000 AND 900000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 10) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10",
  "band 1 integer is": "float|may fail",
  "band 1 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000000 AND 900000000000000 THEN @given@ END AS DECIMAL(38, 9)) * 10) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10",
  "band 1 decimal is": "float|may fail",
  "band 1 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000000 AND 900000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 10) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10",
  "band 1 float is": "float|may fail",
  "band 1 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 10) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10",
  "band 1 text is": "float|may fail",
  "band 2 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000000 AND 90000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 100) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100",
  "band 2 integer is": "float|may fail",
  "band 2 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000000 AND 90000000000000 THEN @given@ END AS DECIMAL(38, 9)) * 100) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100",
  "band 2 decimal is": "float|may fail",
  "band 2 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000000 AND 90000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 100) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100",
  "band 2 float is": "float|may fail",
  "band 2 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 100) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100",
  "band 2 text is": "float|may fail",
  "band 3 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000000 AND 9000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 1000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000",
  "band 3 integer is": "float|may fail",
  "band 3 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000000 AND 9000000000000 THEN @given@ END AS DECIMAL(38, 9)) * 1000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000",
  "band 3 decimal is": "float|may fail",
  "band 3 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000000 AND 9000000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 1000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000",
  "band 3 float is": "float|may fail",
  "band 3 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 1000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000",
  "band 3 text is": "float|may fail",
  "band 4 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000 AND 900000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 10000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10000",
  "band 4 integer is": "float|may fail",
  "band 4 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000 AND 900000000000 THEN @given@ END AS DECIMAL(38, 9)) * 10000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10000",
  "band 4 decimal is": "float|may fail",
  "band 4 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -900000000000 AND 900000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 10000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10000",
  "band 4 float is": "float|may fail",
  "band 4 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,14}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 10000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 10000",
  "band 4 text is": "float|may fail",
  "band 5 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000 AND 90000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 100000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100000",
  "band 5 integer is": "float|may fail",
  "band 5 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000 AND 90000000000 THEN @given@ END AS DECIMAL(38, 9)) * 100000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100000",
  "band 5 decimal is": "float|may fail",
  "band 5 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -90000000000 AND 90000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 100000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100000",
  "band 5 float is": "float|may fail",
  "band 5 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,13}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 100000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 100000",
  "band 5 text is": "float|may fail",
  "band 6 integer": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000 AND 9000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 1000000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000000",
  "band 6 integer is": "float|may fail",
  "band 6 decimal": "CAST(CAST(FLOOR(CAST(FLOOR(CAST(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000 AND 9000000000 THEN @given@ END AS DECIMAL(38, 9)) * 1000000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000000",
  "band 6 decimal is": "float|may fail",
  "band 6 float": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN CAST(@given@ AS DOUBLE PRECISION) BETWEEN -9000000000 AND 9000000000 THEN CAST(@given@ AS DOUBLE PRECISION) END * 1000000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000000",
  "band 6 float is": "float|may fail",
  "band 6 text": "CAST(CAST(FLOOR(CAST(FLOOR(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,12}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END * 1000000) AS DOUBLE PRECISION) / @width@) AS BIGINT) * @width@ AS DOUBLE PRECISION) / 1000000",
  "band 6 text is": "float|may fail",
  "prefix integer": "SUBSTRING(CAST(@given@ AS TEXT) FROM 1 FOR @length@)",
  "prefix integer is": "text|never fails",
  "prefix text": "SUBSTRING(@given@ FROM 1 FOR @length@)",
  "prefix text is": "text|never fails",
  "prefix other": "SUBSTRING(CAST(@given@ AS TEXT) FROM 1 FOR @length@)",
  "prefix other is": "text|never fails",
  "round up integer": "ROUND(CAST(@given@ AS DECIMAL(38, 9)), @digits@)",
  "round up integer is": "decimal|never fails",
  "round up decimal": "ROUND(@given@, @digits@)",
  "round up decimal is": "decimal|may fail",
  "round up float": "CASE WHEN ABS(CAST(@given@ AS DOUBLE PRECISION)) * @power@ <= 9000000000000000 THEN CASE WHEN CAST(@given@ AS DOUBLE PRECISION) < 0 THEN -FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) * @power@ + 0.5) / @power@ ELSE FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) * @power@ + 0.5) / @power@ END END",
  "round up float is": "float|may fail",
  "round up text": "ROUND(CAST(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END AS DECIMAL(38, 9)), @digits@)",
  "round up text is": "decimal|may fail",
  "round down integer": "ROUND(CAST(@given@ AS DECIMAL(38, 9)), @digits@)",
  "round down integer is": "decimal|never fails",
  "round down decimal": "ROUND(@given@, @digits@)",
  "round down decimal is": "decimal|may fail",
  "round down float": "CASE WHEN ABS(CAST(@given@ AS DOUBLE PRECISION)) / @power@ <= 9000000000000000 THEN CASE WHEN CAST(@given@ AS DOUBLE PRECISION) < 0 THEN -FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) / @power@ + 0.5) * @power@ ELSE FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) / @power@ + 0.5) * @power@ END END",
  "round down float is": "float|may fail",
  "round down text": "ROUND(CAST(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END AS DECIMAL(38, 9)), @digits@)",
  "round down text is": "decimal|may fail",
  "round whole integer": "ROUND(CAST(@given@ AS DECIMAL(38, 9)), 0)",
  "round whole integer is": "decimal|never fails",
  "round whole decimal": "ROUND(@given@, 0)",
  "round whole decimal is": "decimal|may fail",
  "round whole float": "CASE WHEN ABS(CAST(@given@ AS DOUBLE PRECISION)) <= 9000000000000000 THEN CASE WHEN CAST(@given@ AS DOUBLE PRECISION) < 0 THEN -FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) + 0.5) ELSE FLOOR(ABS(CAST(@given@ AS DOUBLE PRECISION)) + 0.5) END END",
  "round whole float is": "float|may fail",
  "round whole text": "ROUND(CAST(CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DECIMAL(38, 9)) END AS DECIMAL(38, 9)), 0)",
  "round whole text is": "decimal|may fail",
  "truncate year text": "CAST(DATE_TRUNC('YEAR', CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END) AS DATE)",
  "truncate year text is": "date|may fail",
  "truncate year date": "CAST(DATE_TRUNC('YEAR', @given@) AS DATE)",
  "truncate year date is": "date|never fails",
  "truncate year timestamp": "CAST(DATE_TRUNC('YEAR', CAST(@given@ AS DATE)) AS DATE)",
  "truncate year timestamp is": "date|never fails",
  "truncate year timestamp with time zone": "CAST(DATE_TRUNC('YEAR', CAST(@given@ AT TIME ZONE 'UTC' AS DATE)) AS DATE)",
  "truncate year timestamp with time zone is": "date|never fails",
  "truncate quarter text": "CAST(DATE_TRUNC('QUARTER', CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END) AS DATE)",
  "truncate quarter text is": "date|may fail",
  "truncate quarter date": "CAST(DATE_TRUNC('QUARTER', @given@) AS DATE)",
  "truncate quarter date is": "date|never fails",
  "truncate quarter timestamp": "CAST(DATE_TRUNC('QUARTER', CAST(@given@ AS DATE)) AS DATE)",
  "truncate quarter timestamp is": "date|never fails",
  "truncate quarter timestamp with time zone": "CAST(DATE_TRUNC('QUARTER', CAST(@given@ AT TIME ZONE 'UTC' AS DATE)) AS DATE)",
  "truncate quarter timestamp with time zone is": "date|never fails",
  "truncate month text": "CAST(DATE_TRUNC('MONTH', CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END) AS DATE)",
  "truncate month text is": "date|may fail",
  "truncate month date": "CAST(DATE_TRUNC('MONTH', @given@) AS DATE)",
  "truncate month date is": "date|never fails",
  "truncate month timestamp": "CAST(DATE_TRUNC('MONTH', CAST(@given@ AS DATE)) AS DATE)",
  "truncate month timestamp is": "date|never fails",
  "truncate month timestamp with time zone": "CAST(DATE_TRUNC('MONTH', CAST(@given@ AT TIME ZONE 'UTC' AS DATE)) AS DATE)",
  "truncate month timestamp with time zone is": "date|never fails",
  "truncate week text": "CAST(DATE_TRUNC('WEEK', CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END) AS DATE)",
  "truncate week text is": "date|may fail",
  "truncate week date": "CAST(DATE_TRUNC('WEEK', @given@) AS DATE)",
  "truncate week date is": "date|never fails",
  "truncate week timestamp": "CAST(DATE_TRUNC('WEEK', CAST(@given@ AS DATE)) AS DATE)",
  "truncate week timestamp is": "date|never fails",
  "truncate week timestamp with time zone": "CAST(DATE_TRUNC('WEEK', CAST(@given@ AT TIME ZONE 'UTC' AS DATE)) AS DATE)",
  "truncate week timestamp with time zone is": "date|never fails",
  "truncate day text": "CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END",
  "truncate day text is": "date|may fail",
  "truncate day date": "@given@",
  "truncate day date is": "date|never fails",
  "truncate day timestamp": "CAST(@given@ AS DATE)",
  "truncate day timestamp is": "date|never fails",
  "truncate day timestamp with time zone": "CAST(@given@ AT TIME ZONE 'UTC' AS DATE)",
  "truncate day timestamp with time zone is": "date|never fails",
  "truncate hour text": "CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) || ' ' || SUBSTRING(@given@ FROM 12 FOR 2) || ':00:00' AS TIMESTAMP) END",
  "truncate hour text is": "timestamp|may fail",
  "truncate hour timestamp": "DATE_TRUNC('HOUR', @given@)",
  "truncate hour timestamp is": "timestamp|never fails",
  "truncate hour timestamp with time zone": "DATE_TRUNC('HOUR', @given@ AT TIME ZONE 'UTC')",
  "truncate hour timestamp with time zone is": "timestamp|never fails",
  "time hour text": "CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$' THEN CAST(SUBSTRING(@given@ FROM 12 FOR 2) AS INT) WHEN @given@ ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 2) AS INT) END",
  "time hour text is": "integer|may fail",
  "time hour timestamp": "CAST(EXTRACT(HOUR FROM @given@) AS INT)",
  "time hour timestamp is": "integer|may fail",
  "time hour timestamp with time zone": "CAST(EXTRACT(HOUR FROM @given@ AT TIME ZONE 'UTC') AS INT)",
  "time hour timestamp with time zone is": "integer|may fail",
  "time hour time": "CAST(EXTRACT(HOUR FROM @given@) AS INT)",
  "time hour time is": "integer|may fail",
  "time minute text": "CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$' THEN CAST(SUBSTRING(@given@ FROM 12 FOR 2) AS INT) WHEN @given@ ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 2) AS INT) END * 60 + CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$' THEN CAST(SUBSTRING(@given@ FROM 15 FOR 2) AS INT) WHEN @given@ ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$' THEN CAST(SUBSTRING(@given@ FROM 4 FOR 2) AS INT) END",
  "time minute text is": "integer|may fail",
  "time minute timestamp": "CAST(EXTRACT(HOUR FROM @given@) AS INT) * 60 + CAST(EXTRACT(MINUTE FROM @given@) AS INT)",
  "time minute timestamp is": "integer|may fail",
  "time minute timestamp with time zone": "CAST(EXTRACT(HOUR FROM @given@ AT TIME ZONE 'UTC') AS INT) * 60 + CAST(EXTRACT(MINUTE FROM @given@ AT TIME ZONE 'UTC') AS INT)",
  "time minute timestamp with time zone is": "integer|may fail",
  "time minute time": "CAST(EXTRACT(HOUR FROM @given@) AS INT) * 60 + CAST(EXTRACT(MINUTE FROM @given@) AS INT)",
  "time minute time is": "integer|may fail",
  "weekday text": "CAST(EXTRACT(ISODOW FROM CASE WHEN @given@ ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$' THEN CAST(SUBSTRING(@given@ FROM 1 FOR 10) AS DATE) END) AS INT)",
  "weekday text is": "integer|may fail",
  "weekday date": "CAST(EXTRACT(ISODOW FROM @given@) AS INT)",
  "weekday date is": "integer|may fail",
  "weekday timestamp": "CAST(EXTRACT(ISODOW FROM CAST(@given@ AS DATE)) AS INT)",
  "weekday timestamp is": "integer|may fail",
  "weekday timestamp with time zone": "CAST(EXTRACT(ISODOW FROM CAST(@given@ AT TIME ZONE 'UTC' AS DATE)) AS INT)",
  "weekday timestamp with time zone is": "integer|may fail",
  "normalise trim text": "TRIM(' ' || CHR(9) || CHR(10) || CHR(13) FROM @given@)",
  "normalise trim text is": "text|never fails",
  "normalise trim other": "TRIM(' ' || CHR(9) || CHR(10) || CHR(13) FROM CAST(@given@ AS TEXT))",
  "normalise trim other is": "text|never fails",
  "normalise casefold text": "LOWER(@given@)",
  "normalise casefold text is": "text|never fails",
  "normalise casefold other": "LOWER(CAST(@given@ AS TEXT))",
  "normalise casefold other is": "text|never fails",
  "normalise nfc text": "NORMALIZE(@given@, NFC)",
  "normalise nfc text is": "text|never fails",
  "normalise nfc other": "NORMALIZE(CAST(@given@ AS TEXT), NFC)",
  "normalise nfc other is": "text|never fails",
  "min_count integer": "CASE WHEN CAST(@given@ AS TEXT) IN (SELECT @counted@ AS \"value\" FROM @rows@ AS \"source\" WHERE NOT @counted@ IS NULL GROUP BY @counted@ HAVING COUNT(*) >= @count@) THEN CAST(@given@ AS TEXT) WHEN NOT CAST(@given@ AS TEXT) IS NULL THEN '(fewer than @count@ records)' END",
  "min_count integer is": "text|never fails",
  "min_count text": "CASE WHEN @given@ IN (SELECT @counted@ AS \"value\" FROM @rows@ AS \"source\" WHERE NOT @counted@ IS NULL GROUP BY @counted@ HAVING COUNT(*) >= @count@) THEN @given@ WHEN NOT @given@ IS NULL THEN '(fewer than @count@ records)' END",
  "min_count text is": "text|never fails",
  "min_count boolean": "CASE WHEN CAST(@given@ AS TEXT) IN (SELECT @counted@ AS \"value\" FROM @rows@ AS \"source\" WHERE NOT @counted@ IS NULL GROUP BY @counted@ HAVING COUNT(*) >= @count@) THEN CAST(@given@ AS TEXT) WHEN NOT CAST(@given@ AS TEXT) IS NULL THEN '(fewer than @count@ records)' END",
  "min_count boolean is": "text|never fails",
  "min_count date": "CASE WHEN CAST(@given@ AS TEXT) IN (SELECT @counted@ AS \"value\" FROM @rows@ AS \"source\" WHERE NOT @counted@ IS NULL GROUP BY @counted@ HAVING COUNT(*) >= @count@) THEN CAST(@given@ AS TEXT) WHEN NOT CAST(@given@ AS TEXT) IS NULL THEN '(fewer than @count@ records)' END",
  "min_count date is": "text|never fails",
  "min_count other": "CASE WHEN CAST(@given@ AS TEXT) IN (SELECT @counted@ AS \"value\" FROM @rows@ AS \"source\" WHERE NOT @counted@ IS NULL GROUP BY @counted@ HAVING COUNT(*) >= @count@) THEN CAST(@given@ AS TEXT) WHEN NOT CAST(@given@ AS TEXT) IS NULL THEN '(fewer than @count@ records)' END",
  "min_count other is": "text|never fails",
  "text integer": "CAST(@given@ AS TEXT)",
  "number integer": "@given@",
  "sensitive numeric integer": "@given@",
  "sensitive categorical integer": "@given@",
  "sensitive ordered integer": "@given@",
  "text decimal": "CAST(@given@ AS TEXT)",
  "number decimal": "@given@",
  "sensitive numeric decimal": "@given@",
  "sensitive categorical decimal": "@given@",
  "sensitive ordered decimal": "@given@",
  "text float": "CAST(@given@ AS TEXT)",
  "number float": "CAST(@given@ AS DOUBLE PRECISION)",
  "sensitive numeric float": "CASE WHEN CAST(@given@ AS DOUBLE PRECISION) <= CAST('Infinity' AS DOUBLE PRECISION) THEN CAST(@given@ AS DOUBLE PRECISION) END",
  "sensitive categorical float": "@given@",
  "sensitive ordered float": "CASE WHEN CAST(@given@ AS DOUBLE PRECISION) <= CAST('Infinity' AS DOUBLE PRECISION) THEN CAST(@given@ AS DOUBLE PRECISION) END",
  "text text": "@given@",
  "number text": "CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DOUBLE PRECISION) END",
  "sensitive numeric text": "CASE WHEN TRIM(' ' FROM @given@) ~ '^[+-]?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$' THEN CAST(TRIM(' ' FROM @given@) AS DOUBLE PRECISION) END",
  "sensitive categorical text": "@given@",
  "sensitive ordered text": "@given@",
  "text boolean": "CAST(@given@ AS TEXT)",
  "sensitive categorical boolean": "@given@",
  "sensitive ordered boolean": "@given@",
  "text date": "CAST(@given@ AS TEXT)",
  "sensitive categorical date": "@given@",
  "sensitive ordered date": "@given@",
  "text timestamp": "CAST(@given@ AS TEXT)",
  "sensitive categorical timestamp": "@given@",
  "sensitive ordered timestamp": "@given@",
  "text timestamp with time zone": "CAST(@given@ AS TEXT)",
  "sensitive categorical timestamp with time zone": "@given@",
  "sensitive ordered timestamp with time zone": "@given@",
  "text time": "CAST(@given@ AS TEXT)",
  "sensitive categorical time": "@given@",
  "sensitive ordered time": "@given@",
  "text other": "CAST(@given@ AS TEXT)",
  "sensitive categorical other": "@given@",
  "sensitive ordered other": "@given@",
  "float text": "CASE WHEN @name@ = 0 THEN '0' ELSE CAST(@name@ AS TEXT) END",
  "float text of given": "CASE WHEN @given@ = 0 THEN '0' ELSE CAST(@given@ AS TEXT) END",
  "sum": "CAST(SUM(@name@) AS BIGINT) AS @name@",
  "count": "CAST(COUNT(*) AS BIGINT) AS \"records\"",
  "filled": "CAST(COUNT(@name@) AS BIGINT)",
  "person": "CAST(ARRAY_AGG(\"tuple\" ORDER BY \"tuple\") FILTER(WHERE NOT \"tuple\" IS NULL) AS TEXT)",
  "infinity": "CAST('Infinity' AS DOUBLE PRECISION)",
  "tail": "SUM(\"n\") - MAX(\"n\")",
  "t categorical": "((SUM(\"distance\") + CAST(MAX(\"filled\") AS DOUBLE PRECISION) * (MAX(\"whole\") - SUM(\"total\"))) / (CAST(MAX(\"filled\") AS DOUBLE PRECISION) * MAX(\"whole\") * 2))",
  "t ordered": "CASE WHEN MAX(\"distinct_values\") <= 1 THEN 0 ELSE SUM(\"distance\") / (CAST(MAX(\"filled\") AS DOUBLE PRECISION) * MAX(\"whole\") * (MAX(\"distinct_values\") - 1)) END",
  "real": "CAST(@name@ AS DOUBLE PRECISION)",
  "null whole": "CAST(NULL AS BIGINT)",
  "null real": "CAST(NULL AS DOUBLE PRECISION)",
  "type text": "TEXT",
  "type bigint": "BIGINT",
  "type timestamp": "TIMESTAMP"
}) }}
{%- endmacro %}
