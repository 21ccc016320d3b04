WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`paid` AS `qi_2`,
    `source`.`weight` AS `qi_3`,
    `source`.`logged` AS `qi_4`,
    `source`.`insurance` AS `qi_5`,
    `source`.`smoker` AS `qi_6`,
    `source`.`member_id` AS `entity`,
    CASE WHEN `source`.`member_id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
  FROM `analytics`.`claims` AS `source`
), `tuples` AS (
  SELECT
    `entity`,
    CASE
      WHEN `qi_1` IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST(`qi_1` AS STRING)) AS STRING) || ':' || CAST(`qi_1` AS STRING)
    END || ',' || CASE WHEN `qi_2` IS NULL THEN 'N' ELSE CAST(`qi_2` AS STRING) END || ',' || CASE
      WHEN `qi_3` IS NULL
      THEN 'N'
      ELSE CASE WHEN `qi_3` = 0 THEN '0' ELSE CAST(`qi_3` AS STRING) END
    END || ',' || CASE WHEN `qi_4` IS NULL THEN 'N' ELSE CAST(`qi_4` AS STRING) END || ',' || CASE
      WHEN `qi_5` IS NULL
      THEN 'N'
      ELSE CAST(LENGTH(CAST(`qi_5` AS STRING)) AS STRING) || ':' || CAST(`qi_5` AS STRING)
    END || ',' || CASE WHEN `qi_6` IS NULL THEN 'N' ELSE CAST(`qi_6` AS STRING) END AS `tuple`,
    `unidentified`,
    1 AS `records`,
    CASE
      WHEN `qi_1` IS NULL
      AND `qi_2` IS NULL
      AND `qi_3` IS NULL
      AND `qi_4` IS NULL
      AND `qi_5` IS NULL
      AND `qi_6` IS NULL
      THEN 0
      WHEN `qi_1` IS NULL
      OR `qi_2` IS NULL
      OR `qi_3` IS NULL
      OR `qi_4` IS NULL
      OR `qi_5` IS NULL
      OR `qi_6` IS NULL
      THEN 1
      ELSE 0
    END AS `partly_missing`,
    CASE
      WHEN `qi_1` IS NULL
      AND `qi_2` IS NULL
      AND `qi_3` IS NULL
      AND `qi_4` IS NULL
      AND `qi_5` IS NULL
      AND `qi_6` IS NULL
      THEN 1
      ELSE 0
    END AS `wholly_missing`
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
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS INT64) AS `size`,
    CASE WHEN `person` IS NULL THEN 0 ELSE 1 END AS `measured`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(SUM(`records`) AS INT64) AS `records`,
    CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
    CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
  FROM `people`
  GROUP BY
    `person`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `measured`,
  CAST(COUNT(*) AS INT64) AS `classes`,
  CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
  CAST(SUM(`records`) AS INT64) AS `records`,
  CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
FROM `classes`
GROUP BY
  `size`,
  `measured`
LIMIT 100001
