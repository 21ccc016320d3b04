WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`member_id` AS `entity`,
    CASE WHEN `source`.`member_id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
  FROM `analytics`.`claims` AS `source`
), `population` AS (
  SELECT
    `source`.`gender` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`id` AS `entity`,
    CASE WHEN `source`.`id` IS NULL THEN 1 ELSE 0 END AS `population_unidentified`
  FROM `insurer`.`members` AS `source`
), `tuples` AS (
  SELECT
    `entity`,
    CASE
      WHEN `qi_1` IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST(`qi_1` AS STRING)) AS STRING) || ':' || CAST(`qi_1` AS STRING)
    END || ',' || CASE WHEN `qi_2` IS NULL THEN 'N' ELSE CAST(`qi_2` AS STRING) END AS `tuple`,
    `unidentified`,
    1 AS `records`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL
      THEN 0
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL
      THEN 1
      ELSE 0
    END AS `partly_missing`,
    CASE WHEN `qi_1` IS NULL AND `qi_2` IS NULL THEN 1 ELSE 0 END AS `wholly_missing`
  FROM `release`
), `people` AS (
  SELECT
    `entity`,
    STRING_AGG(`tuple`, '|'
    ORDER BY
      `tuple`) AS `person`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(SUM(`records`) AS INT64) AS `records`,
    CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
    CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
  FROM `tuples`
  GROUP BY
    `entity`
), `population_tuples` AS (
  SELECT
    `entity`,
    CASE
      WHEN `qi_1` IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST(`qi_1` AS STRING)) AS STRING) || ':' || CAST(`qi_1` AS STRING)
    END || ',' || CASE WHEN `qi_2` IS NULL THEN 'N' ELSE CAST(`qi_2` AS STRING) END AS `tuple`,
    `population_unidentified`
  FROM `population`
), `population_people` AS (
  SELECT
    `entity`,
    STRING_AGG(`tuple`, '|'
    ORDER BY
      `tuple`) AS `person`,
    CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`
  FROM `population_tuples`
  GROUP BY
    `entity`
), `everyone` AS (
  SELECT
    `person`,
    1 AS `in_release`,
    0 AS `in_population`,
    `unidentified`,
    `records`,
    `partly_missing`,
    `wholly_missing`,
    0 AS `population_unidentified`
  FROM `people`
  UNION ALL
  SELECT
    `person`,
    0 AS `in_release`,
    1 AS `in_population`,
    0 AS `unidentified`,
    0 AS `records`,
    0 AS `partly_missing`,
    0 AS `wholly_missing`,
    `population_unidentified`
  FROM `population_people`
), `classes` AS (
  SELECT
    CAST(SUM(`in_release`) AS INT64) AS `size`,
    CAST(SUM(`in_population`) AS INT64) AS `population_size`,
    CASE WHEN `person` IS NULL THEN 0 ELSE 1 END AS `measured`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`,
    CAST(SUM(`records`) AS INT64) AS `records`,
    CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
    CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
  FROM `everyone`
  GROUP BY
    `person`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `population_size`,
  `measured`,
  CAST(COUNT(*) AS INT64) AS `classes`,
  CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
  CAST(SUM(`population_unidentified`) AS INT64) AS `population_unidentified`,
  CAST(SUM(`records`) AS INT64) AS `records`,
  CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
FROM `classes`
GROUP BY
  `size`,
  `population_size`,
  `measured`
LIMIT 100001
