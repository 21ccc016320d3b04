WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`zip` AS `qi_3`
  FROM `analytics`.`claims` AS `source`
), `model_1` AS (
  SELECT
    `source`.`gender` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    CAST(`source`.`share` AS DOUBLE) AS `frequency`,
    CASE WHEN NOT CAST(`source`.`share` AS DOUBLE) BETWEEN 0 AND 1 THEN 1 ELSE 0 END AS `unlike_frequencies`,
    CASE WHEN CAST(`source`.`share` AS DOUBLE) IS NULL THEN 1 ELSE 0 END AS `without_frequency`,
    CASE WHEN `source`.`gender` IS NULL OR `source`.`age` IS NULL THEN 1 ELSE 0 END AS `with_missing`
  FROM `insurer`.`shares` AS `source`
), `model_2` AS (
  SELECT
    `source`.`column_3` AS `qi_3`,
    CAST(`source`.`frequency` AS DOUBLE) AS `frequency`,
    CASE WHEN NOT CAST(`source`.`frequency` AS DOUBLE) BETWEEN 0 AND 1 THEN 1 ELSE 0 END AS `unlike_frequencies`,
    CASE WHEN CAST(`source`.`frequency` AS DOUBLE) IS NULL THEN 1 ELSE 0 END AS `without_frequency`,
    CASE WHEN `source`.`column_3` IS NULL THEN 1 ELSE 0 END AS `with_missing`
  FROM (
    SELECT
      `text_1` AS `column_3`,
      CAST(`frequency` AS DOUBLE) AS `frequency`
    FROM VALUES
      ('02139', '0.25'),
      ('10115', '0.5'),
      (CAST(NULL AS STRING), '0.25'),
      ('it\'s, 1', '0.0') AS `listed`(`text_1`, `frequency`)
  ) AS `source`
), `model_1_both` AS (
  SELECT
    `qi_1`,
    `qi_2`
  FROM `release`
  UNION ALL
  SELECT
    `qi_1`,
    `qi_2`
  FROM `model_1`
), `qi_1_codes` AS (
  SELECT
    `qi_1`,
    ROW_NUMBER() OVER (ORDER BY `qi_1`) AS `code`
  FROM (
    SELECT
      `qi_1`
    FROM `model_1_both`
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
    FROM `model_1_both`
    WHERE
      NOT `qi_2` IS NULL
    GROUP BY
      `qi_2`
  ) AS `value`
), `model_2_both` AS (
  SELECT
    `qi_3`
  FROM `release`
  UNION ALL
  SELECT
    `qi_3`
  FROM `model_2`
), `qi_3_codes` AS (
  SELECT
    `qi_3`,
    ROW_NUMBER() OVER (ORDER BY `qi_3`) AS `code`
  FROM (
    SELECT
      `qi_3`
    FROM `model_2_both`
    WHERE
      NOT `qi_3` IS NULL
    GROUP BY
      `qi_3`
  ) AS `value`
), `release_qi_1` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_1`,
    `qi_2`,
    `qi_3`
  FROM `release`
  LEFT JOIN `qi_1_codes`
    USING (`qi_1`)
), `release_qi_2` AS (
  SELECT
    `qi_1`,
    COALESCE(`code`, 0) AS `qi_2`,
    `qi_3`
  FROM `release_qi_1`
  LEFT JOIN `qi_2_codes`
    USING (`qi_2`)
), `release_qi_3` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    COALESCE(`code`, 0) AS `qi_3`
  FROM `release_qi_2`
  LEFT JOIN `qi_3_codes`
    USING (`qi_3`)
), `classes` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    CAST(COUNT(*) AS BIGINT) AS `size`,
    CASE
      WHEN `qi_1` = 0 AND `qi_2` = 0 AND `qi_3` = 0
      THEN 2
      WHEN `qi_1` = 0 OR `qi_2` = 0 OR `qi_3` = 0
      THEN 1
      ELSE 0
    END AS `missing`
  FROM `release_qi_3`
  GROUP BY
    `qi_1`,
    `qi_2`,
    `qi_3`
), `wild_classes` AS (
  SELECT
    ROW_NUMBER() OVER (ORDER BY `qi_1`, `qi_2`, `qi_3`) AS `class`,
    `qi_1`,
    `qi_2`,
    `qi_3`,
    CASE WHEN `qi_1` = 0 THEN 1 ELSE 0 END + CASE WHEN `qi_2` = 0 THEN 2 ELSE 0 END + CASE WHEN `qi_3` = 0 THEN 4 ELSE 0 END AS `pattern`,
    `size`,
    `missing`
  FROM `classes`
), `patterns` AS (
  SELECT
    `pattern`,
    MAX(CASE WHEN `qi_1` = 0 THEN 0 ELSE 1 END) AS `present_1`,
    MAX(CASE WHEN `qi_2` = 0 THEN 0 ELSE 1 END) AS `present_2`,
    MAX(CASE WHEN `qi_3` = 0 THEN 0 ELSE 1 END) AS `present_3`
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
    `present_2`,
    `present_3`
  FROM `patterns`
  UNION ALL
  SELECT
    0 AS `pattern`,
    1 AS `present_1`,
    1 AS `present_2`,
    1 AS `present_3`
), `model_1_qi_1` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_1`,
    `qi_2`,
    `frequency`,
    `unlike_frequencies`,
    `without_frequency`,
    `with_missing`
  FROM `model_1`
  LEFT JOIN `qi_1_codes`
    USING (`qi_1`)
), `model_1_qi_2` AS (
  SELECT
    `qi_1`,
    COALESCE(`code`, 0) AS `qi_2`,
    `frequency`,
    `unlike_frequencies`,
    `without_frequency`,
    `with_missing`
  FROM `model_1_qi_1`
  LEFT JOIN `qi_2_codes`
    USING (`qi_2`)
), `model_1_sums` AS (
  SELECT
    `wild`.`qi_1` * `looking`.`present_1` AS `qi_1`,
    `wild`.`qi_2` * `looking`.`present_2` AS `qi_2`,
    CAST(SUM(`wild`.`frequency`) AS DOUBLE) AS `own`
  FROM `model_1_qi_2` AS `wild`
  CROSS JOIN (
    SELECT
      `present_1`,
      `present_2`
    FROM `all_patterns`
    GROUP BY
      `present_1`,
      `present_2`
  ) AS `looking`
  GROUP BY
    `wild`.`qi_1` * `looking`.`present_1`,
    `wild`.`qi_2` * `looking`.`present_2`
), `wild_classes_by_model_1` AS (
  SELECT
    `class`,
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `pattern`,
    `size`,
    `missing`,
    COALESCE(`own`, CAST(0 AS DOUBLE)) AS `frequency`
  FROM `wild_classes`
  LEFT JOIN `model_1_sums`
    USING (`qi_1`, `qi_2`)
), `model_2_qi_3` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_3`,
    `frequency`,
    `unlike_frequencies`,
    `without_frequency`,
    `with_missing`
  FROM `model_2`
  LEFT JOIN `qi_3_codes`
    USING (`qi_3`)
), `model_2_sums` AS (
  SELECT
    `wild`.`qi_3` * `looking`.`present_3` AS `qi_3`,
    CAST(SUM(`wild`.`frequency`) AS DOUBLE) AS `own`
  FROM `model_2_qi_3` AS `wild`
  CROSS JOIN (
    SELECT
      `present_3`
    FROM `all_patterns`
    GROUP BY
      `present_3`
  ) AS `looking`
  GROUP BY
    `wild`.`qi_3` * `looking`.`present_3`
), `wild_classes_by_model_2` AS (
  SELECT
    `class`,
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `pattern`,
    `size`,
    `missing`,
    `frequency` * COALESCE(`own`, CAST(0 AS DOUBLE)) AS `frequency`
  FROM `wild_classes_by_model_1`
  LEFT JOIN `model_2_sums`
    USING (`qi_3`)
), `gap_groups` AS (
  SELECT
    `own`,
    `other`,
    `qi_1`,
    `qi_2`,
    `qi_3`,
    ROW_NUMBER() OVER (ORDER BY `own`, `other`, `qi_1`, `qi_2`, `qi_3`) AS `number`,
    CAST(SUM(`size`) AS BIGINT) AS `size`
  FROM (
    SELECT
      `looking`.`pattern` AS `own`,
      `wild`.`pattern` AS `other`,
      `wild`.`qi_1` * `looking`.`present_1` AS `qi_1`,
      `wild`.`qi_2` * `looking`.`present_2` AS `qi_2`,
      `wild`.`qi_3` * `looking`.`present_3` AS `qi_3`,
      `wild`.`size`
    FROM `wild_classes_by_model_2` AS `wild`
    CROSS JOIN `all_patterns` AS `looking`
    WHERE
      `wild`.`pattern` > 0
  ) AS `gap`
  GROUP BY
    `own`,
    `other`,
    `qi_1`,
    `qi_2`,
    `qi_3`
), `meetings` AS (
  SELECT
    `class`,
    `own`,
    `number`,
    `own_size`,
    `size`
  FROM (
    SELECT
      `class`,
      `wild`.`pattern` AS `own`,
      `looked`.`pattern` AS `other`,
      `wild`.`qi_1` * `looked`.`present_1` AS `qi_1`,
      `wild`.`qi_2` * `looked`.`present_2` AS `qi_2`,
      `wild`.`qi_3` * `looked`.`present_3` AS `qi_3`,
      `wild`.`size` AS `own_size`
    FROM `wild_classes_by_model_2` AS `wild`
    CROSS JOIN `patterns` AS `looked`
  ) AS `seen`
  JOIN `gap_groups`
    USING (`own`, `other`, `qi_1`, `qi_2`, `qi_3`)
), `gap_sizes` AS (
  SELECT
    `class`,
    CAST(SUM(`size`) AS BIGINT) AS `size`
  FROM `meetings`
  GROUP BY
    `class`
), `whole_sizes` AS (
  SELECT
    `number`,
    CAST(SUM(`own_size`) AS BIGINT) AS `size`
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
      `qi_2`,
      `qi_3`
    FROM `wild_classes_by_model_2`
    WHERE
      `pattern` > 0
  ) AS `wild`
  JOIN `gap_groups`
    USING (`own`, `other`, `qi_1`, `qi_2`, `qi_3`)
), `matches` AS (
  SELECT
    `class`,
    `missing`,
    `wild`.`size` AS `own_size`,
    `frequency`,
    CASE WHEN `pattern` = 0 THEN `wild`.`size` ELSE COALESCE(`whole`.`size`, 0) END + COALESCE(`gap`.`size`, 0) AS `size`
  FROM `wild_classes_by_model_2` AS `wild`
  LEFT JOIN `gap_sizes` AS `gap`
    USING (`class`)
  LEFT JOIN (
    SELECT
      `class`,
      `size`
    FROM `own_groups`
    JOIN `whole_sizes`
      USING (`number`)
  ) AS `whole`
    USING (`class`)
)
SELECT
  'record_sizes' AS `arm`,
  `size`,
  CASE
    WHEN `frequency` > 0 AND `frequency` <= 2
    THEN CAST(FLOOR(LN(`frequency`) * 100) AS BIGINT)
  END AS `bin`,
  `missing`,
  CAST(SUM(`own_size`) AS BIGINT) AS `own_size`,
  CAST(SUM(`frequency` * `own_size`) AS DOUBLE) AS `frequency`,
  CAST(MIN(`frequency`) AS DOUBLE) AS `least_frequency`,
  CAST(NULL AS BIGINT) AS `wild_classes`,
  CAST(NULL AS BIGINT) AS `wild_patterns`,
  CAST(NULL AS BIGINT) AS `number`,
  CAST(NULL AS BIGINT) AS `model_rows`,
  CAST(NULL AS DOUBLE) AS `total`,
  CAST(NULL AS BIGINT) AS `unlike_frequencies`,
  CAST(NULL AS BIGINT) AS `without_frequency`,
  CAST(NULL AS BIGINT) AS `with_missing`
FROM `matches`
GROUP BY
  `size`,
  CASE
    WHEN `frequency` > 0 AND `frequency` <= 2
    THEN CAST(FLOOR(LN(`frequency`) * 100) AS BIGINT)
  END,
  `missing`
UNION ALL
SELECT
  'wildcard' AS `arm`,
  CAST(NULL AS BIGINT) AS `size`,
  CAST(NULL AS BIGINT) AS `bin`,
  CAST(NULL AS BIGINT) AS `missing`,
  CAST(NULL AS BIGINT) AS `own_size`,
  CAST(NULL AS DOUBLE) AS `frequency`,
  CAST(NULL AS DOUBLE) AS `least_frequency`,
  CAST(COUNT(*) AS BIGINT) AS `wild_classes`,
  CAST(COUNT(DISTINCT `pattern`) AS BIGINT) AS `wild_patterns`,
  CAST(NULL AS BIGINT) AS `number`,
  CAST(NULL AS BIGINT) AS `model_rows`,
  CAST(NULL AS DOUBLE) AS `total`,
  CAST(NULL AS BIGINT) AS `unlike_frequencies`,
  CAST(NULL AS BIGINT) AS `without_frequency`,
  CAST(NULL AS BIGINT) AS `with_missing`
FROM `wild_classes_by_model_2`
UNION ALL
SELECT
  'model' AS `arm`,
  CAST(NULL AS BIGINT) AS `size`,
  CAST(NULL AS BIGINT) AS `bin`,
  CAST(NULL AS BIGINT) AS `missing`,
  CAST(NULL AS BIGINT) AS `own_size`,
  CAST(NULL AS DOUBLE) AS `frequency`,
  CAST(NULL AS DOUBLE) AS `least_frequency`,
  CAST(NULL AS BIGINT) AS `wild_classes`,
  CAST(NULL AS BIGINT) AS `wild_patterns`,
  1 AS `number`,
  CAST(COUNT(*) AS BIGINT) AS `model_rows`,
  CAST(SUM(`frequency`) AS DOUBLE) AS `total`,
  CAST(SUM(`unlike_frequencies`) AS BIGINT) AS `unlike_frequencies`,
  CAST(SUM(`without_frequency`) AS BIGINT) AS `without_frequency`,
  CAST(SUM(`with_missing`) AS BIGINT) AS `with_missing`
FROM `model_1`
UNION ALL
SELECT
  'model' AS `arm`,
  CAST(NULL AS BIGINT) AS `size`,
  CAST(NULL AS BIGINT) AS `bin`,
  CAST(NULL AS BIGINT) AS `missing`,
  CAST(NULL AS BIGINT) AS `own_size`,
  CAST(NULL AS DOUBLE) AS `frequency`,
  CAST(NULL AS DOUBLE) AS `least_frequency`,
  CAST(NULL AS BIGINT) AS `wild_classes`,
  CAST(NULL AS BIGINT) AS `wild_patterns`,
  2 AS `number`,
  CAST(COUNT(*) AS BIGINT) AS `model_rows`,
  CAST(SUM(`frequency`) AS DOUBLE) AS `total`,
  CAST(SUM(`unlike_frequencies`) AS BIGINT) AS `unlike_frequencies`,
  CAST(SUM(`without_frequency`) AS BIGINT) AS `without_frequency`,
  CAST(SUM(`with_missing`) AS BIGINT) AS `with_missing`
FROM `model_2`
LIMIT 100001
