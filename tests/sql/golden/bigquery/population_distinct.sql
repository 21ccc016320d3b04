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
    `source`.`age` AS `qi_2`
  FROM `insurer`.`members` AS `source`
), `pairs` AS (
  SELECT
    `entity`,
    `qi_1`,
    `qi_2`,
    1 AS `measured`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(COUNT(*) AS INT64) AS `records`
  FROM `release`
  GROUP BY
    `entity`,
    `qi_1`,
    `qi_2`
), `everyone` AS (
  SELECT
    `entity`,
    `qi_1`,
    `qi_2`,
    1 AS `in_release`,
    `measured`,
    `unidentified`,
    `records`
  FROM `pairs`
  UNION ALL
  SELECT
    NULL AS `entity`,
    `qi_1`,
    `qi_2`,
    0 AS `in_release`,
    1 AS `measured`,
    0 AS `unidentified`,
    0 AS `records`
  FROM `population`
), `pair_sizes` AS (
  SELECT
    `entity`,
    `in_release`,
    CAST(SUM(`in_release` * `measured`) OVER (PARTITION BY `qi_1`, `qi_2`) AS INT64) AS `size`,
    CAST(SUM((
      1 - `in_release`
    ) * `measured`) OVER (PARTITION BY `qi_1`, `qi_2`) AS INT64) AS `population_size`,
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
  FROM `everyone`
), `people` AS (
  SELECT
    `entity`,
    `in_release`,
    CASE WHEN `in_release` = 1 THEN MIN(CASE WHEN `measured` = 1 THEN `size` END) END AS `size`,
    CASE
      WHEN `in_release` = 1
      THEN MIN(
        CASE
          WHEN `measured` = 1
          THEN CASE WHEN `population_size` < `size` THEN `size` ELSE `population_size` END
        END
      )
    END AS `population_size`,
    CASE WHEN `in_release` = 0 THEN SUM(`measured`) ELSE 0 END AS `population_people`,
    MAX(CASE WHEN `measured` = 1 AND `population_size` = 0 THEN 1 ELSE 0 END) AS `absent`,
    MAX(
      CASE
        WHEN `measured` = 1 AND `population_size` > 0 AND `population_size` < `size`
        THEN 1
        ELSE 0
      END
    ) AS `fewer`,
    CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
    CAST(SUM(`records`) AS INT64) AS `records`,
    CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
    CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
  FROM `pair_sizes`
  GROUP BY
    `entity`,
    `in_release`
)
SELECT
  'record_sizes' AS `arm`,
  `in_release`,
  `size`,
  `population_size`,
  CAST(COUNT(*) AS INT64) AS `people`,
  CAST(SUM(`population_people`) AS INT64) AS `population_people`,
  CAST(SUM(`absent`) AS INT64) AS `absent`,
  CAST(SUM(`fewer`) AS INT64) AS `fewer`,
  CAST(SUM(`unidentified`) AS INT64) AS `unidentified`,
  CAST(SUM(`records`) AS INT64) AS `records`,
  CAST(SUM(`partly_missing`) AS INT64) AS `partly_missing`,
  CAST(SUM(`wholly_missing`) AS INT64) AS `wholly_missing`
FROM `people`
GROUP BY
  `in_release`,
  `size`,
  `population_size`
LIMIT 100001
