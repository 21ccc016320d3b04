WITH `release` AS (
  SELECT
    SUBSTRING(`source`.`zip`, 1, 3) AS `qi_1`,
    SUBSTRING(CAST(`source`.`age` AS STRING), 1, 1) AS `qi_2`,
    CASE
      WHEN `source`.`icd` IN ('A\'1', 'C\\3')
      THEN 'x'
      WHEN `source`.`icd` IN ('B2')
      THEN 'y'
      WHEN NOT `source`.`icd` IS NULL
      THEN 'Other'
    END AS `qi_3`,
    CASE WHEN `source`.`sex` IN ('m') THEN 'M' WHEN `source`.`sex` IN ('f') THEN 'F' END AS `qi_4`,
    SUBSTRING(CAST(`source`.`insurance` AS STRING), 1, 8) AS `qi_5`,
    CASE
      WHEN NOT `source`.`sex` IS NULL
      AND CASE WHEN `source`.`sex` IN ('m') THEN 'M' WHEN `source`.`sex` IN ('f') THEN 'F' END IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_4`
  FROM `analytics`.`claims` AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS `size`,
    CASE
      WHEN `qi_1` IS NULL
      AND `qi_2` IS NULL
      AND `qi_3` IS NULL
      AND `qi_4` IS NULL
      AND `qi_5` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL
      OR `qi_2` IS NULL
      OR `qi_3` IS NULL
      OR `qi_4` IS NULL
      OR `qi_5` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`unconverted_4`) AS BIGINT) AS `unconverted_4`
  FROM `release`
  GROUP BY
    `qi_1`,
    `qi_2`,
    `qi_3`,
    `qi_4`,
    `qi_5`
)
SELECT
  'class_sizes' AS `arm`,
  `size`,
  `missing`,
  CAST(COUNT(*) AS BIGINT) AS `classes`,
  CAST(SUM(`unconverted_4`) AS BIGINT) AS `unconverted_4`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
