WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`
  FROM `p-12c1`.`data`.`claims` AS `source`
), `population` AS (
  SELECT
    `source`.`gender` AS `qi_1`
  FROM `p-12c1`.`data`.`members` AS `source`
), `everyone` AS (
  SELECT
    `qi_1`,
    1 AS `in_release`,
    0 AS `in_population`
  FROM `release`
  UNION ALL
  SELECT
    `qi_1`,
    0 AS `in_release`,
    1 AS `in_population`
  FROM `population`
), `classes` AS (
  SELECT
    CAST(SUM(`in_release`) AS INT64) AS `size`,
    CAST(SUM(`in_population`) AS INT64) AS `population_size`,
    CASE WHEN `qi_1` IS NULL THEN 2 ELSE 0 END AS `missing`
  FROM `everyone`
  GROUP BY
    `qi_1`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `population_size`,
  `missing`,
  CAST(COUNT(*) AS INT64) AS `classes`
FROM `classes`
GROUP BY
  `size`,
  `population_size`,
  `missing`
LIMIT 100001
