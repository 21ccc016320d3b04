WITH `release` AS (
  SELECT
    CAST(`source`.`age` AS BIGINT) - (
      (
        CAST(`source`.`age` AS BIGINT) % 5 + 5
      ) % 5
    ) AS `qi_1`,
    CAST(CAST(FLOOR(
      CAST(FLOOR(
        CAST(CASE
          WHEN CAST(`source`.`paid` AS DOUBLE) BETWEEN -90000000000000 AND 90000000000000
          THEN `source`.`paid`
        END AS DECIMAL(38, 9)) * 100
      ) AS DOUBLE) / 25
    ) AS BIGINT) * 25 AS DOUBLE) / 100 AS `qi_2`,
    CASE
      WHEN CAST(`source`.`weight` AS DOUBLE) < 0
      THEN 0
      WHEN CAST(`source`.`weight` AS DOUBLE) < 50.5
      THEN 1
      WHEN CAST(`source`.`weight` AS DOUBLE) < 1000
      THEN 2
      WHEN CAST(`source`.`weight` AS DOUBLE) >= 1000
      AND CAST(`source`.`weight` AS DOUBLE) <= CAST('Infinity' AS DOUBLE)
      THEN 3
    END AS `qi_3`,
    CASE
      WHEN NOT `source`.`paid` IS NULL
      AND CAST(CAST(FLOOR(
        CAST(FLOOR(
          CAST(CASE
            WHEN CAST(`source`.`paid` AS DOUBLE) BETWEEN -90000000000000 AND 90000000000000
            THEN `source`.`paid`
          END AS DECIMAL(38, 9)) * 100
        ) AS DOUBLE) / 25
      ) AS BIGINT) * 25 AS DOUBLE) / 100 IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_2`,
    CASE
      WHEN NOT `source`.`weight` IS NULL
      AND CASE
        WHEN CAST(`source`.`weight` AS DOUBLE) < 0
        THEN 0
        WHEN CAST(`source`.`weight` AS DOUBLE) < 50.5
        THEN 1
        WHEN CAST(`source`.`weight` AS DOUBLE) < 1000
        THEN 2
        WHEN CAST(`source`.`weight` AS DOUBLE) >= 1000
        AND CAST(`source`.`weight` AS DOUBLE) <= CAST('Infinity' AS DOUBLE)
        THEN 3
      END IS NULL
      THEN 1
      ELSE 0
    END AS `unconverted_3`
  FROM `analytics`.`claims` AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS `size`,
    CASE
      WHEN `qi_1` IS NULL AND `qi_2` IS NULL AND `qi_3` IS NULL
      THEN 2
      WHEN `qi_1` IS NULL OR `qi_2` IS NULL OR `qi_3` IS NULL
      THEN 1
      ELSE 0
    END AS `missing`,
    CAST(SUM(`unconverted_2`) AS BIGINT) AS `unconverted_2`,
    CAST(SUM(`unconverted_3`) AS BIGINT) AS `unconverted_3`
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
  CAST(COUNT(*) AS BIGINT) AS `classes`,
  CAST(SUM(`unconverted_2`) AS BIGINT) AS `unconverted_2`,
  CAST(SUM(`unconverted_3`) AS BIGINT) AS `unconverted_3`
FROM `classes`
GROUP BY
  `size`,
  `missing`
LIMIT 100001
