WITH `sqlrisk_counted` AS (
WITH `release` AS (
SELECT
  `source`.`height` AS `qi_1`,
  `source`.`sex` AS `qi_2`,
  `source`.`id` AS `entity`,
  CASE WHEN `source`.`id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
FROM `db`.`measured`.`people` AS `source`
), `pairs` AS (
SELECT
  `entity`,
  `qi_1`,
  `qi_2`,
  1 AS `measured`,
  CAST(SUM(`unidentified`) AS BIGINT) AS `unidentified`,
  CAST(COUNT(*) AS BIGINT) AS `records`
FROM `release`
GROUP BY
  `entity`,
  `qi_1`,
  `qi_2`
), `pair_sizes` AS (
SELECT
  `entity`,
  CAST(SUM(`measured`) OVER (PARTITION BY `qi_1`,
  `qi_2`) AS BIGINT) AS `size`,
  `measured`,
  `unidentified`,
  `records` AS `records`,
  CASE WHEN `qi_1` IS NULL AND `qi_2` IS NULL THEN 0 WHEN `qi_1` IS NULL OR `qi_2` IS NULL THEN 1 ELSE 0 END * `records` AS `partly_missing`,
  CASE WHEN `qi_1` IS NULL AND `qi_2` IS NULL THEN 1 ELSE 0 END * `records` AS `wholly_missing`
FROM `pairs`
), `people_` AS (
SELECT
  `entity`,
  MIN(CASE WHEN `measured` = 1 THEN `size` END) AS `size`,
  CAST(SUM(`unidentified`) AS BIGINT) AS `unidentified`,
  CAST(SUM(`records`) AS BIGINT) AS `records`,
  CAST(SUM(`partly_missing`) AS BIGINT) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS BIGINT) AS `wholly_missing`
FROM `pair_sizes`
GROUP BY
  `entity`
)
SELECT
  'record_sizes' AS `arm`,
  `size`,
  CAST(COUNT(*) AS BIGINT) AS `people`,
  CAST(SUM(`unidentified`) AS BIGINT) AS `unidentified`,
  CAST(SUM(`records`) AS BIGINT) AS `records`,
  CAST(SUM(`partly_missing`) AS BIGINT) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS BIGINT) AS `wholly_missing`
FROM `people_`
GROUP BY
  `size`
), `sqlrisk_sizes` AS (
SELECT
  `class_size`,
  `population_size`,
  `population_size` AS `matches`,
  CAST(SUM(`classes`) AS BIGINT) AS `classes`,
  CAST(SUM(`records`) AS BIGINT) AS `records`
FROM (
  SELECT `size` AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, CAST(NULL AS BIGINT) AS `classes`, `people` AS `records`
  FROM `sqlrisk_counted`
  WHERE `arm` = 'record_sizes' AND NOT `size` IS NULL
) AS `measured`
WHERE `class_size` > 0
GROUP BY `class_size`, `population_size`
), `sqlrisk_totals` AS (
SELECT
  0 AS `unconverted`,
  COALESCE(SUM(COALESCE(`unidentified`, 0)), 0) AS `unidentified`,
  0 AS `excluded`,
  COALESCE(SUM(CASE WHEN `arm` = 'record_sizes' THEN `records` ELSE 0 END), 0) - 0 AS `read`,
  1 AS `population_people`
FROM `sqlrisk_counted`
)
SELECT 'average record risk above 0.1' AS `finding`, CAST(NULL AS BIGINT) AS `class_size`, CAST(NULL AS BIGINT) AS `population_size`, SUM(`classes`) AS `classes`, SUM(`records`) AS `records`, SUM(CAST(`records` AS DOUBLE) / `class_size`) / SUM(`records`) AS `value`
FROM `sqlrisk_sizes`
HAVING SUM(CAST(`records` AS DOUBLE) / `class_size`) / SUM(`records`) > 0.100000001000
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
