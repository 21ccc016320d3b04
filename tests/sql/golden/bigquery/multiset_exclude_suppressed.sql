WITH `release` AS (
  SELECT
    CASE WHEN `source`.`sex` = '*' THEN NULL ELSE `source`.`sex` END AS `qi_1`,
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_2`,
    `source`.`member_id` AS `entity`,
    CASE WHEN `source`.`sex` = '*' AND `source`.`age` IS NULL THEN 1 ELSE 0 END AS `suppressed`,
    CASE WHEN `source`.`member_id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
  FROM `analytics`.`claims` AS `source`
), `tuples` AS (
  SELECT
    `entity`,
    CASE
      WHEN (
        `qi_1` IS NULL OR `qi_2` IS NULL
      ) OR `suppressed` = 1
      THEN NULL
      ELSE CASE
        WHEN `qi_1` IS NULL
        THEN 'N'
        ELSE CAST(LENGTH(CAST(`qi_1` AS STRING)) AS STRING) || ':' || CAST(`qi_1` AS STRING)
      END || ',' || CASE WHEN `qi_2` IS NULL THEN 'N' ELSE CAST(`qi_2` AS STRING) END
    END AS `tuple`,
    `suppressed`,
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
    CAST(SUM(`suppressed`) AS INT64) AS `suppressed`,
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
    CAST(SUM(`suppressed`) AS INT64) AS `suppressed`,
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
  CAST(SUM(`suppressed`) AS INT64) AS `suppressed`,
  CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
  CAST(SUM(`records`) AS INT64) AS `records`,
  CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
FROM `classes`
GROUP BY
  `size`,
  `measured`
LIMIT 100001
