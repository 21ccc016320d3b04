WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`paid` AS `qi_2`,
    CASE WHEN `source`.`weight` = 0 THEN '0' ELSE CAST(`source`.`weight` AS STRING) END AS `qi_3`,
    `source`.`logged` AS `qi_4`,
    `source`.`insurance` AS `qi_5`,
    `source`.`smoker` AS `qi_6`,
    `source`.`member_id` AS `entity`,
    CASE WHEN `source`.`member_id` IS NULL THEN 1 ELSE 0 END AS `unidentified`
  FROM `analytics`.`claims` AS `source`
), `qi_1_codes` AS (
  SELECT
    `qi_1`,
    ROW_NUMBER() OVER (ORDER BY `qi_1`) AS `code`
  FROM (
    SELECT
      `qi_1`
    FROM `release`
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
    FROM `release`
    WHERE
      NOT `qi_2` IS NULL
    GROUP BY
      `qi_2`
  ) AS `value`
), `qi_3_codes` AS (
  SELECT
    `qi_3`,
    ROW_NUMBER() OVER (ORDER BY `qi_3`) AS `code`
  FROM (
    SELECT
      `qi_3`
    FROM `release`
    WHERE
      NOT `qi_3` IS NULL
    GROUP BY
      `qi_3`
  ) AS `value`
), `qi_4_codes` AS (
  SELECT
    `qi_4`,
    ROW_NUMBER() OVER (ORDER BY `qi_4`) AS `code`
  FROM (
    SELECT
      `qi_4`
    FROM `release`
    WHERE
      NOT `qi_4` IS NULL
    GROUP BY
      `qi_4`
  ) AS `value`
), `qi_5_codes` AS (
  SELECT
    `qi_5`,
    ROW_NUMBER() OVER (ORDER BY `qi_5`) AS `code`
  FROM (
    SELECT
      `qi_5`
    FROM `release`
    WHERE
      NOT `qi_5` IS NULL
    GROUP BY
      `qi_5`
  ) AS `value`
), `qi_6_codes` AS (
  SELECT
    `qi_6`,
    ROW_NUMBER() OVER (ORDER BY `qi_6`) AS `code`
  FROM (
    SELECT
      `qi_6`
    FROM `release`
    WHERE
      NOT `qi_6` IS NULL
    GROUP BY
      `qi_6`
  ) AS `value`
), `release_qi_1` AS (
  SELECT
    COALESCE(`code`, 0) AS `qi_1`,
    `qi_2`,
    `qi_3`,
    `qi_4`,
    `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`
  FROM `release`
  LEFT JOIN `qi_1_codes`
    USING (`qi_1`)
), `release_qi_2` AS (
  SELECT
    `qi_1`,
    COALESCE(`code`, 0) AS `qi_2`,
    `qi_3`,
    `qi_4`,
    `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`
  FROM `release_qi_1`
  LEFT JOIN `qi_2_codes`
    USING (`qi_2`)
), `release_qi_3` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    COALESCE(`code`, 0) AS `qi_3`,
    `qi_4`,
    `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`
  FROM `release_qi_2`
  LEFT JOIN `qi_3_codes`
    USING (`qi_3`)
), `release_qi_4` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    COALESCE(`code`, 0) AS `qi_4`,
    `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`
  FROM `release_qi_3`
  LEFT JOIN `qi_4_codes`
    USING (`qi_4`)
), `release_qi_5` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `qi_4`,
    COALESCE(`code`, 0) AS `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`
  FROM `release_qi_4`
  LEFT JOIN `qi_5_codes`
    USING (`qi_5`)
), `release_qi_6` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `qi_4`,
    `qi_5`,
    COALESCE(`code`, 0) AS `qi_6`,
    `entity`,
    `unidentified`
  FROM `release_qi_5`
  LEFT JOIN `qi_6_codes`
    USING (`qi_6`)
), `first_half` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    ROW_NUMBER() OVER (ORDER BY `qi_1`, `qi_2`, `qi_3`) AS `code`
  FROM `release_qi_6`
  GROUP BY
    `qi_1`,
    `qi_2`,
    `qi_3`
), `second_half` AS (
  SELECT
    `qi_4`,
    `qi_5`,
    `qi_6`,
    ROW_NUMBER() OVER (ORDER BY `qi_4`, `qi_5`, `qi_6`) AS `code`
  FROM `release_qi_6`
  GROUP BY
    `qi_4`,
    `qi_5`,
    `qi_6`
), `numbered_release_qi_6` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `qi_4`,
    `qi_5`,
    `qi_6`,
    `entity`,
    `unidentified`,
    `one`.`code` * (
      SELECT
        MAX(`code`) + 1
      FROM `second_half`
    ) + `two`.`code` AS `tuple`
  FROM `release_qi_6`
  JOIN `first_half` AS `one`
    USING (`qi_1`, `qi_2`, `qi_3`)
  JOIN `second_half` AS `two`
    USING (`qi_4`, `qi_5`, `qi_6`)
), `tuples` AS (
  SELECT
    `entity`,
    `tuple` AS `tuple`,
    `unidentified`,
    1 AS `records`,
    CASE
      WHEN `qi_1` = 0 AND `qi_2` = 0 AND `qi_3` = 0 AND `qi_4` = 0 AND `qi_5` = 0 AND `qi_6` = 0
      THEN 0
      WHEN `qi_1` = 0 OR `qi_2` = 0 OR `qi_3` = 0 OR `qi_4` = 0 OR `qi_5` = 0 OR `qi_6` = 0
      THEN 1
      ELSE 0
    END AS `partly_missing`,
    CASE
      WHEN `qi_1` = 0 AND `qi_2` = 0 AND `qi_3` = 0 AND `qi_4` = 0 AND `qi_5` = 0 AND `qi_6` = 0
      THEN 1
      ELSE 0
    END AS `wholly_missing`
  FROM `numbered_release_qi_6`
), `people` AS (
  SELECT
    `entity`,
    STRING_AGG(CAST(`tuple` AS STRING), '|'
    ORDER BY
      CAST(`tuple` AS STRING)) AS `person`,
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
