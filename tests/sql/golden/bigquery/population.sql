WITH `release` AS (
  SELECT
    CASE WHEN `source`.`sex` = '*' THEN NULL ELSE `source`.`sex` END AS `qi_1`,
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_2`,
    CASE WHEN `source`.`sex` = '*' AND `source`.`age` IS NULL THEN 1 ELSE 0 END AS `suppressed`
  FROM `analytics`.`claims` AS `source`
), `population` AS (
  SELECT
    CASE WHEN `source`.`gender` = '*' THEN NULL ELSE `source`.`gender` END AS `qi_1`,
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_2`
  FROM (
    SELECT
      *
    FROM `insurer`.`members` AS `members`
    WHERE
      `age` >= 18 AND CASE WHEN `gender` = '*' AND `age` IS NULL THEN 1 ELSE 0 END = 0
  ) AS `source`
), `everyone` AS (
  SELECT
    `qi_1`,
    `qi_2`,
    1 AS `in_release`,
    0 AS `in_population`,
    `suppressed`
  FROM `release`
  UNION ALL
  SELECT
    `qi_1`,
    `qi_2`,
    0 AS `in_release`,
    1 AS `in_population`,
    0 AS `suppressed`
  FROM `population`
), `classes` AS (
  SELECT
    CAST(SUM(`in_release`) AS INT64) AS `size`,
    CAST(SUM(`in_population`) AS INT64) AS `population_size`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`suppressed`) AS INT64) AS `suppressed`
  FROM `everyone`
  GROUP BY
    `qi_1`,
    `qi_2`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `population_size`,
  `missing`,
  CAST(COUNT(*) AS INT64) AS `classes`,
  CAST(SUM(`suppressed`) AS INT64) AS `suppressed`
FROM `classes`
GROUP BY
  `size`,
  `population_size`,
  `missing`
LIMIT 100001
