WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`,
    `source`.`age` AS `qi_2`
  FROM (
    SELECT
      *
    FROM `analytics`.`claims` AS `claims`
    WHERE
      `age` BETWEEN 18 AND 64 AND `zip` LIKE '02%' AND NOT `smoker` IS NULL
  ) AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS `size`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`
  FROM `release`
  GROUP BY
    `qi_1`,
    `qi_2`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `missing`,
  CAST(COUNT(*) AS BIGINT) AS `classes`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
