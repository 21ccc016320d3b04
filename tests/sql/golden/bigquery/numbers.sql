WITH `release` AS (
  SELECT
    CAST(`source`.`age` AS INT64) - (
      MOD(MOD(CAST(`source`.`age` AS INT64), 5) + 5, 5)
    ) AS `qi_1`,
    CAST(CAST(FLOOR(
      CAST(FLOOR(
        CAST(CASE
          WHEN CAST(`source`.`paid` AS FLOAT64) BETWEEN -90000000000000 AND 90000000000000
          THEN `source`.`paid`
        END AS NUMERIC) * 100
      ) AS FLOAT64) / 25
    ) AS INT64) * 25 AS FLOAT64) / 100 AS `qi_2`,
    CASE
      WHEN CAST(`source`.`weight` AS FLOAT64) < 0
      THEN 0
      WHEN CAST(`source`.`weight` AS FLOAT64) < 50.5
      THEN 1
      WHEN CAST(`source`.`weight` AS FLOAT64) < 1000
      THEN 2
      WHEN CAST(`source`.`weight` AS FLOAT64) >= 1000
      AND CAST(`source`.`weight` AS FLOAT64) <= CAST('Infinity' AS FLOAT64)
      THEN 3
    END AS `qi_3`,
    CASE
      WHEN NOT `source`.`paid` IS NULL
      AND CAST(CAST(FLOOR(
        CAST(FLOOR(
          CAST(CASE
            WHEN CAST(`source`.`paid` AS FLOAT64) BETWEEN -90000000000000 AND 90000000000000
            THEN `source`.`paid`
          END AS NUMERIC) * 100
        ) AS FLOAT64) / 25
      ) AS INT64) * 25 AS FLOAT64) / 100 IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_2`,
    CASE
      WHEN NOT `source`.`weight` IS NULL
      AND CASE
        WHEN CAST(`source`.`weight` AS FLOAT64) < 0
        THEN 0
        WHEN CAST(`source`.`weight` AS FLOAT64) < 50.5
        THEN 1
        WHEN CAST(`source`.`weight` AS FLOAT64) < 1000
        THEN 2
        WHEN CAST(`source`.`weight` AS FLOAT64) >= 1000
        AND CAST(`source`.`weight` AS FLOAT64) <= CAST('Infinity' AS FLOAT64)
        THEN 3
      END IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_3`
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
    CAST(SUM(`unconverted_2`) AS INT64) AS `unconverted_2`,
    CAST(SUM(`unconverted_3`) AS INT64) AS `unconverted_3`
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
  CAST(SUM(`unconverted_2`) AS INT64) AS `unconverted_2`,
  CAST(SUM(`unconverted_3`) AS INT64) AS `unconverted_3`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
