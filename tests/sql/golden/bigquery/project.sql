WITH `release` AS (
  SELECT
    `source`.`sex` AS `qi_1`
  FROM `my--project-12`.`data_set`.`events_2025` AS `source`
), `classes` AS (
  SELECT
    CAST(COUNT(*) AS INT64) AS `size`,
    CASE WHEN `qi_1` IS NULL THEN 2 ELSE 0 END AS `missing`
  FROM `release`
  GROUP BY
    `qi_1`
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
