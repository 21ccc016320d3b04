WITH `sqlrisk_counted` AS (
WITH `release` AS (
SELECT
  `source`.`sex` AS `qi_1`,
  CASE WHEN `source`.`age` < 18 THEN 0 WHEN `source`.`age` < 65 THEN 1 WHEN `source`.`age` >= 65 THEN 2 END AS `qi_2`
FROM `db`.`measured`.`people` AS `source`
), `population` AS (
SELECT
  `source`.`gender` AS `qi_1`,
  CASE WHEN `source`.`age` < 18 THEN 0 WHEN `source`.`age` < 65 THEN 1 WHEN `source`.`age` >= 65 THEN 2 END AS `qi_2`
FROM `db`.`measured`.`register` AS `source`
), `everyone` AS (
SELECT
  `qi_1`,
  `qi_2`,
  1 AS `in_release`,
  0 AS `in_population`
FROM `release`
UNION ALL
SELECT
  `qi_1`,
  `qi_2`,
  0 AS `in_release`,
  1 AS `in_population`
FROM `population`
), `classes` AS (
SELECT
  CAST(SUM(`in_release`) AS BIGINT) AS `size`,
  CAST(SUM(`in_population`) AS BIGINT) AS `population_size`,
  CASE WHEN `qi_1` IS NULL AND `qi_2` IS NULL THEN 2 WHEN `qi_1` IS NULL OR `qi_2` IS NULL THEN 1 ELSE 0 END AS `missing`
FROM `everyone`
GROUP BY
  `qi_1`,
  `qi_2`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `population_size`,
  `missing`,
  CAST(COUNT(*) AS BIGINT) AS `classes`
FROM `classes`
GROUP BY
  `size`,
  `population_size`,
  `missing`
), `sqlrisk_sizes` AS (
SELECT
  `class_size`,
  `population_size`,
  CASE WHEN `population_size` < `class_size` THEN `class_size` ELSE `population_size` END AS `matches`,
  CAST(SUM(`classes`) AS BIGINT) AS `classes`,
  CAST(SUM(`records`) AS BIGINT) AS `records`
FROM (
  SELECT `size` - 0 AS `class_size`, `population_size` AS `population_size`, `classes` AS `classes`, (`size` - 0) * `classes` AS `records`
  FROM `sqlrisk_counted`
  WHERE `arm` = 'class_sizes'
) AS `measured`
WHERE `class_size` > 0
GROUP BY `class_size`, `population_size`
), `sqlrisk_totals` AS (
SELECT
  0 AS `unconverted`,
  0 AS `unidentified`,
  0 AS `excluded`,
  COALESCE(SUM(`size` * `classes`), 0) - 0 AS `read`,
  COALESCE(SUM(CASE WHEN `arm` = 'class_sizes' THEN `population_size` * `classes` ELSE 0 END), 0) AS `population_people`
FROM `sqlrisk_counted`
)
SELECT 'record risk above 0.2' AS `finding`, `class_size` AS `class_size`, `matches` AS `population_size`, `classes` AS `classes`, `records` AS `records`, CAST(1 AS DOUBLE) / `matches` AS `value`
FROM `sqlrisk_sizes`
WHERE CAST(1 AS DOUBLE) / `matches` > 0.200000001000
UNION ALL
SELECT 'values that do not convert' AS `finding`, CAST(NULL AS BIGINT) AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, CAST(NULL AS BIGINT) AS `classes`, `unconverted` AS `records`, CAST(NULL AS DOUBLE) AS `value`
FROM `sqlrisk_totals`
WHERE `unconverted` > 0
UNION ALL
SELECT 'rows without an entity id' AS `finding`, CAST(NULL AS BIGINT) AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, CAST(NULL AS BIGINT) AS `classes`, `unidentified` AS `records`, CAST(NULL AS DOUBLE) AS `value`
FROM `sqlrisk_totals`
WHERE `unidentified` > 0
UNION ALL
SELECT 'the release is empty' AS `finding`, CAST(NULL AS BIGINT) AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, CAST(NULL AS BIGINT) AS `classes`, `read` - `excluded` AS `records`, CAST(NULL AS DOUBLE) AS `value`
FROM `sqlrisk_totals`
WHERE `read` - `excluded` <= 0
UNION ALL
SELECT 'the population table is empty' AS `finding`, CAST(NULL AS BIGINT) AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, CAST(NULL AS BIGINT) AS `classes`, CAST(NULL AS BIGINT) AS `records`, CAST(NULL AS DOUBLE) AS `value`
FROM `sqlrisk_totals`
WHERE `population_people` = 0
