WITH `release_` AS (
  SELECT
    `source`.`sex` AS `qi_1`
  FROM (
    SELECT
      `sex`
    FROM `classes`
    UNION ALL
    SELECT
      `sex`
    FROM `release`
  ) AS `source`
), `population` AS (
  SELECT
    `source`.`gender` AS `qi_1`
  FROM `insurer`.`members` AS `source`
), `everyone` AS (
  SELECT
    `qi_1`,
    1 AS `in_release`,
    0 AS `in_population`
  FROM `release_`
  UNION ALL
  SELECT
    `qi_1`,
    0 AS `in_release`,
    1 AS `in_population`
  FROM `population`
), `classes_` AS (
  SELECT
    CAST(SUM(`in_release`) AS BIGINT) AS `size`,
    CAST(SUM(`in_population`) AS BIGINT) AS `population_size`,
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
  CAST(COUNT(*) AS BIGINT) AS `classes`
FROM `classes_`
GROUP BY
  `size`,
  `population_size`,
  `missing`
LIMIT 100001
