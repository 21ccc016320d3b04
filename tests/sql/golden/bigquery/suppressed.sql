WITH `release` AS (
  SELECT
    CASE WHEN `source`.`sex` = '*' THEN NULL ELSE `source`.`sex` END AS `qi_1`,
    CASE
      WHEN CAST(`source`.`insurance` AS STRING) = '*'
      THEN NULL
      ELSE `source`.`insurance`
    END AS `qi_2`,
    CASE
      WHEN `source`.`sex` = '*' AND CAST(`source`.`insurance` AS STRING) = '*'
      THEN 1
      ELSE 0
    END AS `suppressed`
  FROM `analytics`.`claims` AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS INT64) AS `size`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`suppressed`) AS INT64) AS `suppressed`
  FROM `release`
  GROUP BY
    `qi_1`,
    `qi_2`
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
