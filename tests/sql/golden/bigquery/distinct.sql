WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_2`,
    `source`.`member_id` AS `entity`,
    CASE WHEN `source`.`member_id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
  FROM `analytics`.`claims` AS `source`
), `pairs` AS (
  SELECT
    `entity`,
    `qi_1`,
    `qi_2`,
    CASE WHEN `qi_1` IS NULL OR `qi_2` IS NULL THEN 0 ELSE 1 END AS `measured`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(COUNT(*) AS INT64) AS `records`
  FROM `release`
  GROUP BY
    `entity`,
    `qi_1`,
    `qi_2`
), `pair_sizes` AS (
  SELECT
    `entity`,
    CAST(SUM(`measured`) OVER (PARTITION BY `qi_1`, `qi_2`) AS INT64) AS `size`,
    `measured`,
    `unidentified`,
    `records` AS `records`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL
      THEN 0
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL
      THEN 1
      ELSE 0
    END * `records` AS `partly_missing`,
    CASE WHEN `qi_1` IS NULL AND `qi_2` IS NULL THEN 1 ELSE 0 END * `records` AS `wholly_missing`
  FROM `pairs`
), `people` AS (
  SELECT
    `entity`,
    MIN(CASE WHEN `measured` = 1 THEN `size` END) AS `size`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(SUM(`records`) AS INT64) AS `records`,
    CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
    CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
  FROM `pair_sizes`
  GROUP BY
    `entity`
)
SELECT
  'record_sizes' AS `arm`,
  `size`,
  CAST(COUNT(*) AS INT64) AS `people`,
  CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
  CAST(SUM(`records`) AS INT64) AS `records`,
  CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
FROM `people`
GROUP BY
  `size`
LIMIT 100001
