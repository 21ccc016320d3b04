WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`age` AS `qi_2`,
    `source`.`zip` AS `qi_3`
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
    END AS `missing`
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
  CAST(COUNT(*) AS INT64) AS `classes`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
