WITH `release` AS (
  SELECT
    MOD(EXTRACT(DAYOFWEEK FROM `source`.`admitted`) + 5, 7) + 1 AS `qi_1`,
    MOD(
      EXTRACT(DAYOFWEEK FROM CAST(DATETIME(`source`.`logged`, 'America/New_York') AS DATE)) + 5,
      7
    ) + 1 AS `qi_2`,
    DATE_TRUNC(CAST(`source`.`seen` AS DATE), QUARTER) AS `qi_3`,
    CASE
      WHEN NOT `source`.`admitted` IS NULL
      AND MOD(EXTRACT(DAYOFWEEK FROM `source`.`admitted`) + 5, 7) + 1 IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_1`,
    CASE
      WHEN NOT `source`.`logged` IS NULL
      AND MOD(
        EXTRACT(DAYOFWEEK FROM CAST(DATETIME(`source`.`logged`, 'America/New_York') AS DATE)) + 5,
        7
      ) + 1 IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_2`
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
    CAST(SUM(`unconverted_1`) AS INT64) AS `unconverted_1`,
    CAST(SUM(`unconverted_2`) AS INT64) AS `unconverted_2`
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
  CAST(SUM(`unconverted_1`) AS INT64) AS `unconverted_1`,
  CAST(SUM(`unconverted_2`) AS INT64) AS `unconverted_2`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
