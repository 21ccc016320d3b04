WITH `release` AS (
  SELECT
    CASE WHEN `source`.`sex` = '*\'' THEN NULL ELSE `source`.`sex` END AS `qi_1`,
    SUBSTRING(CASE WHEN `source`.`zip` = '*\'' THEN NULL ELSE `source`.`zip` END, 1, 3) AS `qi_2`,
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_3`,
    CASE
      WHEN `source`.`sex` = '*\'' AND `source`.`zip` = '*\'' AND `source`.`age` IS NULL
      THEN 1
      ELSE 0
    END AS `suppressed`
  FROM `analytics`.`claims` AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS INT64) AS `size`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL AND `qi_3` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL OR `qi_3` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`suppressed`) AS INT64) AS `suppressed`
  FROM `release`
  GROUP BY
    `qi_1`,
    `qi_2`,
    `qi_3`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `missing`,
  CAST(COUNT(*) AS INT64) AS `classes`,
  CAST(SUM(`suppressed`) AS INT64) AS `suppressed`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
