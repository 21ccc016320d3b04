WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`icd` AS `s_1`
  FROM `analytics`.`claims` AS `source`
), `population` AS (
  SELECT
    `source`.`gender` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`id` AS `entity`,
    CASE WHEN `source`.`id` IS NULL THEN 1 ELSE 0 END AS `population_unidentified`
  FROM `insurer`.`members` AS `source`
), `both` AS (
  SELECT
    `qi_1`,
    `qi_2`
  FROM `release`
  UNION ALL
  SELECT
    `qi_1`,
    `qi_2`
  FROM `population`
), `qi_1_codes` AS (
  SELECT
    `qi_1`,
    ROW_NUMBER() OVER (ORDER BY `qi_1`) AS `code`
  FROM (
    SELECT
      `qi_1`
    FROM `both`
    WHERE
      NOT `qi_1` IS NULL
    GROUP BY
      `qi_1`
  ) AS `value`
), `qi_2_codes` AS (
  SELECT
    `qi_2`,
    ROW_NUMBER() OVER (ORDER BY `qi_2`) AS `code`
  FROM (
    SELECT
      `qi_2`
    FROM `both`
    WHERE
      NOT `qi_2` IS NULL
    GROUP BY
      `qi_2`
  ) AS `value`
), `s_1_codes` AS (
  SELECT
    `s_1`,
    ROW_NUMBER() OVER (ORDER BY `s_1`) AS `code`
  FROM (
    SELECT
      `s_1`
    FROM `release`
    WHERE
      NOT `s_1` IS NULL
    GROUP BY
      `s_1`
  ) AS `value`
), `release_qi_1` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_1`,
    `qi_2`,
    `s_1`
  FROM `release`
  LEFT JOIN `qi_1_codes`
    USING (`qi_1`)
), `release_qi_2` AS (
  SELECT
    `qi_1`,
    COALESCE(`code`, 0) AS `qi_2`,
    `s_1`
  FROM `release_qi_1`
  LEFT JOIN `qi_2_codes`
    USING (`qi_2`)
), `release_s_1` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    COALESCE(`code`, 0) AS `s_1`
  FROM `release_qi_2`
  LEFT JOIN `s_1_codes`
    USING (`s_1`)
), `population_qi_1` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_1`,
    `qi_2`,
    `entity`,
    `population_unidentified`
  FROM `population`
  LEFT JOIN `qi_1_codes`
    USING (`qi_1`)
), `population_qi_2` AS (
  SELECT
    `qi_1`,
    COALESCE(`code`, 0) AS `qi_2`,
    `entity`,
    `population_unidentified`
  FROM `population_qi_1`
  LEFT JOIN `qi_2_codes`
    USING (`qi_2`)
), `both_coded` AS (
  SELECT
    `qi_1`,
    `qi_2`
  FROM `release_s_1`
  UNION ALL
  SELECT
    `qi_1`,
    `qi_2`
  FROM `population_qi_2`
), `population_people` AS (
  SELECT
    `entity`,
    `qi_1`,
    `qi_2`,
    1 AS `measured`,
    CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`
  FROM `population_qi_2`
  GROUP BY
    `entity`,
    `qi_1`,
    `qi_2`
), `everyone` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    1 AS `in_release`,
    0 AS `in_population`,
    0 AS `population_unidentified`
  FROM `release_s_1`
  UNION ALL
  SELECT
    `qi_1`,
    `qi_2`,
    0 AS `in_release`,
    1 AS `in_population`,
    `population_unidentified`
  FROM `population_people`
), `classes` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    CAST(SUM(`in_release`) AS INT64) AS `size`,
    CAST(SUM(`in_population`) AS INT64) AS `population_size`,
    CASE
      WHEN `qi_1` = 0 AND `qi_2` = 0
      THEN 2
      WHEN `qi_1` = 0 OR `qi_2` = 0
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`
  FROM `everyone`
  GROUP BY
    `qi_1`,
    `qi_2`
), `wild_classes` AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY `qi_1`, `qi_2`) AS `class`,
    `qi_1`,
    `qi_2`,
    CASE WHEN `qi_1` = 0 THEN 1 ELSE 0 END + CASE WHEN `qi_2` = 0 THEN 2 ELSE 0 END AS `pattern`,
    `size`,
    `population_size`,
    `missing`,
    `population_unidentified`
  FROM `classes`
), `patterns` AS (
  SELECT
    `pattern`,
    MAX(CASE WHEN `qi_1` = 0 THEN 0 ELSE 1 END) AS `present_1`,
    MAX(CASE WHEN `qi_2` = 0 THEN 0 ELSE 1 END) AS `present_2`
  FROM `wild_classes`
  WHERE
    `pattern` > 0
    AND (
      SELECT
        COUNT(*)
      FROM `wild_classes`
    ) * (
      SELECT
        COUNT(DISTINCT `pattern`)
      FROM `wild_classes`
    ) <= 100000000
  GROUP BY
    `pattern`
), `all_patterns` AS (
  SELECT
    `pattern`,
    `present_1`,
    `present_2`
  FROM `patterns`
  UNION ALL
  SELECT
    0 AS `pattern`,
    1 AS `present_1`,
    1 AS `present_2`
), `gap_groups` AS (
  SELECT
    `own`,
    `other`,
    `qi_1`,
    `qi_2`,
    ROW_NUMBER() OVER (ORDER BY `own`, `other`, `qi_1`, `qi_2`) AS `number`,
    CAST(SUM(`size`) AS INT64) AS `size`,
    CAST(SUM(`population_size`) AS INT64) AS `population_size`
  FROM (
    SELECT
      `looking`.`pattern` AS `own`,
      `wild`.`pattern` AS `other`,
      `wild`.`qi_1` * `looking`.`present_1` AS `qi_1`,
      `wild`.`qi_2` * `looking`.`present_2` AS `qi_2`,
      `wild`.`size`,
      `wild`.`population_size`
    FROM `wild_classes` AS `wild`
    CROSS JOIN `all_patterns` AS `looking`
    WHERE
      `wild`.`pattern` > 0
  ) AS `gap`
  GROUP BY
    `own`,
    `other`,
    `qi_1`,
    `qi_2`
), `meetings` AS (
  SELECT
    `class`,
    `own`,
    `number`,
    `own_size`,
    `own_population_size`,
    `size`,
    `population_size`
  FROM (
    SELECT
      `class`,
      `wild`.`pattern` AS `own`,
      `looked`.`pattern` AS `other`,
      `wild`.`qi_1` * `looked`.`present_1` AS `qi_1`,
      `wild`.`qi_2` * `looked`.`present_2` AS `qi_2`,
      `wild`.`size` AS `own_size`,
      `wild`.`population_size` AS `own_population_size`
    FROM `wild_classes` AS `wild`
    CROSS JOIN `patterns` AS `looked`
  ) AS `seen`
  JOIN `gap_groups`
    USING (`own`, `other`, `qi_1`, `qi_2`)
), `gap_sizes` AS (
  SELECT
    `class`,
    CAST(SUM(`size`) AS INT64) AS `size`,
    CAST(SUM(`population_size`) AS INT64) AS `population_size`
  FROM `meetings`
  GROUP BY
    `class`
), `whole_sizes` AS (
  SELECT
    `number`,
    CAST(SUM(`own_size`) AS INT64) AS `size`,
    CAST(SUM(`own_population_size`) AS INT64) AS `population_size`
  FROM `meetings`
  WHERE
    `own` = 0
  GROUP BY
    `number`
), `own_groups` AS (
  SELECT
    `class`,
    `number`
  FROM (
    SELECT
      `class`,
      0 AS `own`,
      `pattern` AS `other`,
      `qi_1`,
      `qi_2`
    FROM `wild_classes`
    WHERE
      `pattern` > 0
  ) AS `wild`
  JOIN `gap_groups`
    USING (`own`, `other`, `qi_1`, `qi_2`)
), `matches` AS (
  SELECT
    `class`,
    `missing`,
    `wild`.`size` AS `own_size`,
    `wild`.`population_size` AS `own_population_size`,
    `population_unidentified`,
    CASE WHEN `pattern` = 0 THEN `wild`.`size` ELSE COALESCE(`whole`.`size`, 0) END + COALESCE(`gap`.`size`, 0) AS `size`,
    CASE
      WHEN `pattern` = 0
      THEN `wild`.`population_size`
      ELSE COALESCE(`whole`.`population_size`, 0)
    END + COALESCE(`gap`.`population_size`, 0) AS `population_size`
  FROM `wild_classes` AS `wild`
  LEFT JOIN `gap_sizes` AS `gap`
    USING (`class`)
  LEFT JOIN (
    SELECT
      `class`,
      `size`,
      `population_size`
    FROM `own_groups`
    JOIN `whole_sizes`
      USING (`number`)
  ) AS `whole`
    USING (`class`)
), `wild_rows` AS (
  SELECT
    `class`,
    `s_1`
  FROM `release_s_1`
  JOIN (
    SELECT
      `class`,
      `qi_1`,
      `qi_2`
    FROM `wild_classes`
  ) AS `numbered`
    USING (`qi_1`, `qi_2`)
), `sensitive_rows` AS (
  SELECT
    `class`,
    `s_1`
  FROM (
    SELECT
      `class` AS `class`,
      `s_1`
    FROM `wild_rows`
  ) AS `record`
  WHERE
    NOT `class` IS NULL
), `gap_members` AS (
  SELECT
    `class`,
    `number`
  FROM (
    SELECT
      `class`,
      `looking`.`pattern` AS `own`,
      `wild`.`pattern` AS `other`,
      `wild`.`qi_1` * `looking`.`present_1` AS `qi_1`,
      `wild`.`qi_2` * `looking`.`present_2` AS `qi_2`
    FROM `wild_classes` AS `wild`
    CROSS JOIN `all_patterns` AS `looking`
    WHERE
      `wild`.`pattern` > 0
  ) AS `gap`
  JOIN `gap_groups`
    USING (`own`, `other`, `qi_1`, `qi_2`)
), `wild_values_1` AS (
  SELECT
    `class`,
    `pattern`,
    `s_1` AS `s`,
    CAST(COUNT(*) AS INT64) AS `n`,
    1 AS `classes`
  FROM `sensitive_rows`
  JOIN (
    SELECT
      `class`,
      `pattern`
    FROM `wild_classes`
  ) AS `numbered`
    USING (`class`)
  WHERE
    NOT `s_1` IS NULL
  GROUP BY
    `class`,
    `pattern`,
    `s_1`
), `gap_values_1` AS (
  SELECT
    `number`,
    `s`,
    CAST(SUM(`n`) AS INT64) AS `n`
  FROM `gap_members`
  JOIN `wild_values_1`
    USING (`class`)
  GROUP BY
    `number`,
    `s`
), `whole_values_1` AS (
  SELECT
    `number`,
    `s`,
    CAST(SUM(`n`) AS INT64) AS `n`
  FROM (
    SELECT
      `class`,
      `number`
    FROM `meetings`
    WHERE
      `own` = 0
  ) AS `meeting`
  JOIN `wild_values_1`
    USING (`class`)
  GROUP BY
    `number`,
    `s`
), `matched_values_1` AS (
  SELECT
    `class`,
    `s`,
    CAST(SUM(`n`) AS INT64) AS `n`
  FROM (
    SELECT
      `class`,
      `s`,
      `n`
    FROM `wild_values_1`
    WHERE
      `pattern` = 0
    UNION ALL
    SELECT
      `class`,
      `s`,
      `n`
    FROM `meetings`
    JOIN `gap_values_1`
      USING (`number`)
    UNION ALL
    SELECT
      `class`,
      `s`,
      `n`
    FROM `own_groups`
    JOIN `whole_values_1`
      USING (`number`)
  ) AS `part`
  GROUP BY
    `class`,
    `s`
), `matched_pairs_1` AS (
  SELECT
    `class`,
    `size` AS `records`,
    CAST(SUM(`n`) OVER (PARTITION BY `class`) AS INT64) AS `filled`,
    CAST(1 AS INT64) AS `classes`,
    `s`,
    `n`
  FROM `matched_values_1`
  JOIN (
    SELECT
      `class`,
      `size`
    FROM `wild_classes`
    WHERE
      `size` > 0
  ) AS `own`
    USING (`class`)
), `sensitive_totals_1` AS (
  SELECT
    `s`,
    CAST(SUM(`n` * `classes`) AS INT64) AS `total`
  FROM `wild_values_1`
  GROUP BY
    `s`
), `sensitive_values_1` AS (
  SELECT
    `s`,
    `total`,
    `whole`,
    `distinct_values`,
    `position`,
    `upto`,
    SUM(`upto`) OVER (ORDER BY `position` ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - `upto` AS `before`,
    CAST(SUM(`upto`) OVER () AS FLOAT64) AS `all_upto`
  FROM (
    SELECT
      `s`,
      CAST(`total` AS FLOAT64) AS `total`,
      CAST(SUM(`total`) OVER () AS FLOAT64) AS `whole`,
      CAST(COUNT(*) OVER () AS INT64) AS `distinct_values`,
      ROW_NUMBER() OVER (ORDER BY `s`) AS `position`,
      CAST(SUM(`total`) OVER (ORDER BY `s` ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS FLOAT64) AS `upto`
    FROM `sensitive_totals_1`
  ) AS `value`
), `shares_1` AS (
  SELECT
    `class`,
    `records`,
    `filled`,
    `classes`,
    CAST(`n` AS FLOAT64) AS `n`,
    `total`,
    `whole`,
    `distinct_values`,
    ABS(CAST(`n` AS FLOAT64) * `whole` - `total` * CAST(`filled` AS FLOAT64)) AS `distance`
  FROM `matched_pairs_1`
  JOIN `sensitive_values_1`
    USING (`s`)
), `class_measures_1` AS (
  SELECT
    `classes`,
    `records`,
    `l_distinct`,
    EXP(LN(`counted`) - `n_ln_n` / `counted`) AS `l_entropy`,
    `most` / `counted` AS `alpha`,
    CASE WHEN `tail` > 0 THEN `most` / `tail` END AS `recursive_c`,
    CASE WHEN `tail` > 0 THEN 0 ELSE 1 END AS `unbounded`,
    `t_closeness`,
    `basic_beta`,
    `unattainable`,
    `delta_present`,
    CASE WHEN `l_distinct` < `distinct_values` THEN 1 ELSE 0 END AS `absent`
  FROM (
    SELECT
      MAX(`classes`) AS `classes`,
      MAX(`records`) AS `records`,
      CAST(MAX(`filled`) AS FLOAT64) AS `counted`,
      COUNT(*) AS `l_distinct`,
      MAX(`distinct_values`) AS `distinct_values`,
      SUM(`n` * LN(`n`)) AS `n_ln_n`,
      MAX(`n`) AS `most`,
      SUM(`n`) - MAX(`n`) AS `tail`,
      (
        (
          SUM(`distance`) + CAST(MAX(`filled`) AS FLOAT64) * (
            MAX(`whole`) - SUM(`total`)
          )
        ) / (
          CAST(MAX(`filled`) AS FLOAT64) * MAX(`whole`) * 2
        )
      ) AS `t_closeness`,
      MAX((
        `n` * `whole` - `total` * `filled`
      ) / (
        `total` * `filled`
      )) AS `basic_beta`,
      MAX(
        CASE
          WHEN (
            `n` * `whole` - `total` * `filled`
          ) / (
            `total` * `filled`
          ) > 1e-12 - LN(`total` / `whole`)
          THEN 1
          ELSE 0
        END
      ) AS `unattainable`,
      MAX(ABS(LN(`n` * `whole` / (
        `total` * `filled`
      )))) AS `delta_present`
    FROM `shares_1`
    GROUP BY
      `class`
  ) AS `measured`
), `measures_by_l_1` AS (
  SELECT
    `l_distinct`,
    CAST(SUM(`classes`) AS INT64) AS `classes`,
    CAST(SUM(`classes` * `records`) AS INT64) AS `records`,
    MIN(`l_entropy`) AS `l_entropy`,
    MAX(`alpha`) AS `alpha`,
    MAX(`recursive_c`) AS `recursive_c`,
    MAX(`unbounded`) AS `unbounded`,
    MAX(`t_closeness`) AS `t_closeness`,
    MAX(`basic_beta`) AS `basic_beta`,
    MAX(`unattainable`) AS `unattainable`,
    MAX(`delta_present`) AS `delta_present`,
    MAX(`absent`) AS `absent`
  FROM `class_measures_1`
  GROUP BY
    `l_distinct`
)
SELECT
  'record_sizes' AS `arm`,
  `size`,
  `population_size`,
  `missing`,
  CAST(SUM(`own_size`) AS INT64) AS `own_size`,
  CAST(SUM(`own_population_size`) AS INT64) AS `own_population_size`,
  CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`,
  CAST(NULL AS INT64) AS `wild_classes`,
  CAST(NULL AS INT64) AS `wild_patterns`,
  CAST(NULL AS INT64) AS `people`,
  CAST(NULL AS INT64) AS `number`,
  CAST(NULL AS INT64) AS `l_distinct`,
  CAST(NULL AS INT64) AS `classes`,
  CAST(NULL AS INT64) AS `records`,
  CAST(NULL AS FLOAT64) AS `l_entropy`,
  CAST(NULL AS FLOAT64) AS `alpha`,
  CAST(NULL AS FLOAT64) AS `recursive_c`,
  CAST(NULL AS INT64) AS `unbounded`,
  CAST(NULL AS FLOAT64) AS `t_closeness`,
  CAST(NULL AS FLOAT64) AS `basic_beta`,
  CAST(NULL AS INT64) AS `unattainable`,
  CAST(NULL AS FLOAT64) AS `delta_present`,
  CAST(NULL AS INT64) AS `absent`,
  CAST(NULL AS INT64) AS `distinct_values`,
  CAST(NULL AS INT64) AS `missing_values`
FROM `matches`
GROUP BY
  `size`,
  `population_size`,
  `missing`
UNION ALL
SELECT
  'wildcard' AS `arm`,
  CAST(NULL AS INT64) AS `size`,
  CAST(NULL AS INT64) AS `population_size`,
  CAST(NULL AS INT64) AS `missing`,
  CAST(NULL AS INT64) AS `own_size`,
  CAST(NULL AS INT64) AS `own_population_size`,
  CAST(NULL AS INT64) AS `population_unidentified`,
  CAST(COUNT(*) AS INT64) AS `wild_classes`,
  CAST(COUNT(DISTINCT `pattern`) AS INT64) AS `wild_patterns`,
  CAST(NULL AS INT64) AS `people`,
  CAST(NULL AS INT64) AS `number`,
  CAST(NULL AS INT64) AS `l_distinct`,
  CAST(NULL AS INT64) AS `classes`,
  CAST(NULL AS INT64) AS `records`,
  CAST(NULL AS FLOAT64) AS `l_entropy`,
  CAST(NULL AS FLOAT64) AS `alpha`,
  CAST(NULL AS FLOAT64) AS `recursive_c`,
  CAST(NULL AS INT64) AS `unbounded`,
  CAST(NULL AS FLOAT64) AS `t_closeness`,
  CAST(NULL AS FLOAT64) AS `basic_beta`,
  CAST(NULL AS INT64) AS `unattainable`,
  CAST(NULL AS FLOAT64) AS `delta_present`,
  CAST(NULL AS INT64) AS `absent`,
  CAST(NULL AS INT64) AS `distinct_values`,
  CAST(NULL AS INT64) AS `missing_values`
FROM `wild_classes`
UNION ALL
SELECT
  'population' AS `arm`,
  CAST(NULL AS INT64) AS `size`,
  CAST(NULL AS INT64) AS `population_size`,
  CAST(NULL AS INT64) AS `missing`,
  CAST(NULL AS INT64) AS `own_size`,
  CAST(NULL AS INT64) AS `own_population_size`,
  CAST(NULL AS INT64) AS `population_unidentified`,
  CAST(NULL AS INT64) AS `wild_classes`,
  CAST(NULL AS INT64) AS `wild_patterns`,
  CAST(COUNT(*) AS INT64) AS `people`,
  CAST(NULL AS INT64) AS `number`,
  CAST(NULL AS INT64) AS `l_distinct`,
  CAST(NULL AS INT64) AS `classes`,
  CAST(NULL AS INT64) AS `records`,
  CAST(NULL AS FLOAT64) AS `l_entropy`,
  CAST(NULL AS FLOAT64) AS `alpha`,
  CAST(NULL AS FLOAT64) AS `recursive_c`,
  CAST(NULL AS INT64) AS `unbounded`,
  CAST(NULL AS FLOAT64) AS `t_closeness`,
  CAST(NULL AS FLOAT64) AS `basic_beta`,
  CAST(NULL AS INT64) AS `unattainable`,
  CAST(NULL AS FLOAT64) AS `delta_present`,
  CAST(NULL AS INT64) AS `absent`,
  CAST(NULL AS INT64) AS `distinct_values`,
  CAST(NULL AS INT64) AS `missing_values`
FROM (
  SELECT
    `entity`
  FROM `population_people`
  WHERE
    `measured` = 1
  GROUP BY
    `entity`
) AS `person`
UNION ALL
SELECT
  'l_histogram' AS `arm`,
  CAST(NULL AS INT64) AS `size`,
  CAST(NULL AS INT64) AS `population_size`,
  CAST(NULL AS INT64) AS `missing`,
  CAST(NULL AS INT64) AS `own_size`,
  CAST(NULL AS INT64) AS `own_population_size`,
  CAST(NULL AS INT64) AS `population_unidentified`,
  CAST(NULL AS INT64) AS `wild_classes`,
  CAST(NULL AS INT64) AS `wild_patterns`,
  CAST(NULL AS INT64) AS `people`,
  1 AS `number`,
  CAST(`l_distinct` AS INT64) AS `l_distinct`,
  CAST(`classes` AS INT64) AS `classes`,
  CAST(`records` AS INT64) AS `records`,
  CAST(NULL AS FLOAT64) AS `l_entropy`,
  CAST(NULL AS FLOAT64) AS `alpha`,
  CAST(NULL AS FLOAT64) AS `recursive_c`,
  CAST(NULL AS INT64) AS `unbounded`,
  CAST(NULL AS FLOAT64) AS `t_closeness`,
  CAST(NULL AS FLOAT64) AS `basic_beta`,
  CAST(NULL AS INT64) AS `unattainable`,
  CAST(NULL AS FLOAT64) AS `delta_present`,
  CAST(NULL AS INT64) AS `absent`,
  CAST(NULL AS INT64) AS `distinct_values`,
  CAST(NULL AS INT64) AS `missing_values`
FROM `measures_by_l_1`
UNION ALL
SELECT
  'sensitive' AS `arm`,
  CAST(NULL AS INT64) AS `size`,
  CAST(NULL AS INT64) AS `population_size`,
  CAST(NULL AS INT64) AS `missing`,
  CAST(NULL AS INT64) AS `own_size`,
  CAST(NULL AS INT64) AS `own_population_size`,
  CAST(NULL AS INT64) AS `population_unidentified`,
  CAST(NULL AS INT64) AS `wild_classes`,
  CAST(NULL AS INT64) AS `wild_patterns`,
  CAST(NULL AS INT64) AS `people`,
  1 AS `number`,
  CAST(NULL AS INT64) AS `l_distinct`,
  CAST(NULL AS INT64) AS `classes`,
  CAST(NULL AS INT64) AS `records`,
  CAST(MIN(`l_entropy`) AS FLOAT64) AS `l_entropy`,
  CAST(MAX(`alpha`) AS FLOAT64) AS `alpha`,
  CAST(MAX(`recursive_c`) AS FLOAT64) AS `recursive_c`,
  CAST(MAX(`unbounded`) AS INT64) AS `unbounded`,
  CAST(MAX(`t_closeness`) AS FLOAT64) AS `t_closeness`,
  CAST(MAX(`basic_beta`) AS FLOAT64) AS `basic_beta`,
  CAST(MAX(`unattainable`) AS INT64) AS `unattainable`,
  CAST(MAX(`delta_present`) AS FLOAT64) AS `delta_present`,
  CAST(MAX(`absent`) AS INT64) AS `absent`,
  CAST(NULL AS INT64) AS `distinct_values`,
  CAST(NULL AS INT64) AS `missing_values`
FROM `measures_by_l_1`
UNION ALL
SELECT
  'sensitive_whole' AS `arm`,
  CAST(NULL AS INT64) AS `size`,
  CAST(NULL AS INT64) AS `population_size`,
  CAST(NULL AS INT64) AS `missing`,
  CAST(NULL AS INT64) AS `own_size`,
  CAST(NULL AS INT64) AS `own_population_size`,
  CAST(NULL AS INT64) AS `population_unidentified`,
  CAST(NULL AS INT64) AS `wild_classes`,
  CAST(NULL AS INT64) AS `wild_patterns`,
  CAST(NULL AS INT64) AS `people`,
  1 AS `number`,
  CAST(NULL AS INT64) AS `l_distinct`,
  CAST(NULL AS INT64) AS `classes`,
  CAST(NULL AS INT64) AS `records`,
  CAST(NULL AS FLOAT64) AS `l_entropy`,
  CAST(NULL AS FLOAT64) AS `alpha`,
  CAST(NULL AS FLOAT64) AS `recursive_c`,
  CAST(NULL AS INT64) AS `unbounded`,
  CAST(NULL AS FLOAT64) AS `t_closeness`,
  CAST(NULL AS FLOAT64) AS `basic_beta`,
  CAST(NULL AS INT64) AS `unattainable`,
  CAST(NULL AS FLOAT64) AS `delta_present`,
  CAST(NULL AS INT64) AS `absent`,
  CAST((
    SELECT
      COUNT(*)
    FROM `sensitive_totals_1`
  ) AS INT64) AS `distinct_values`,
  CAST(SUM(CASE WHEN `s_1` = 0 THEN 1 ELSE 0 END) AS INT64) AS `missing_values`
FROM `sensitive_rows`
LIMIT 100001
