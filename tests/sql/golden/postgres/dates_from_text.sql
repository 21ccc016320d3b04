WITH "release" AS (
  SELECT
    CAST(DATE_TRUNC(
      'WEEK',
      CASE
        WHEN "source"."day_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$'
        THEN CAST(SUBSTRING("source"."day_text" FROM 1 FOR 10) AS DATE)
      END
    ) AS DATE) AS "qi_1",
    CAST(EXTRACT(ISODOW FROM CASE
      WHEN "source"."zip" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$'
      THEN CAST(SUBSTRING("source"."zip" FROM 1 FOR 10) AS DATE)
    END) AS INT) AS "qi_2",
    CASE
      WHEN "source"."icd" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
      THEN CAST(SUBSTRING("source"."icd" FROM 1 FOR 10) || ' ' || SUBSTRING("source"."icd" FROM 12 FOR 2) || ':00:00' AS TIMESTAMP)
    END AS "qi_3",
    CASE
      WHEN "source"."age_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
      THEN CAST(SUBSTRING("source"."age_text" FROM 12 FOR 2) AS INT)
      WHEN "source"."age_text" ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$'
      THEN CAST(SUBSTRING("source"."age_text" FROM 1 FOR 2) AS INT)
    END * 60 + CASE
      WHEN "source"."age_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
      THEN CAST(SUBSTRING("source"."age_text" FROM 15 FOR 2) AS INT)
      WHEN "source"."age_text" ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$'
      THEN CAST(SUBSTRING("source"."age_text" FROM 4 FOR 2) AS INT)
    END AS "qi_4",
    CASE
      WHEN NOT "source"."day_text" IS NULL
      AND CAST(DATE_TRUNC(
        'WEEK',
        CASE
          WHEN "source"."day_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$'
          THEN CAST(SUBSTRING("source"."day_text" FROM 1 FOR 10) AS DATE)
        END
      ) AS DATE) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_1",
    CASE
      WHEN NOT "source"."zip" IS NULL
      AND CAST(EXTRACT(ISODOW FROM CASE
        WHEN "source"."zip" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?$'
        THEN CAST(SUBSTRING("source"."zip" FROM 1 FOR 10) AS DATE)
      END) AS INT) IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_2",
    CASE
      WHEN NOT "source"."icd" IS NULL
      AND CASE
        WHEN "source"."icd" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
        THEN CAST(SUBSTRING("source"."icd" FROM 1 FOR 10) || ' ' || SUBSTRING("source"."icd" FROM 12 FOR 2) || ':00:00' AS TIMESTAMP)
      END IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_3",
    CASE
      WHEN NOT "source"."age_text" IS NULL
      AND CASE
        WHEN "source"."age_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
        THEN CAST(SUBSTRING("source"."age_text" FROM 12 FOR 2) AS INT)
        WHEN "source"."age_text" ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$'
        THEN CAST(SUBSTRING("source"."age_text" FROM 1 FOR 2) AS INT)
      END * 60 + CASE
        WHEN "source"."age_text" ~ '^((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?$'
        THEN CAST(SUBSTRING("source"."age_text" FROM 15 FOR 2) AS INT)
        WHEN "source"."age_text" ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?$'
        THEN CAST(SUBSTRING("source"."age_text" FROM 4 FOR 2) AS INT)
      END IS NULL
      THEN 1
      ELSE 0
    END AS "unconverted_4"
  FROM "analytics"."claims" AS "source"
), "classes" AS (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL AND "qi_3" IS NULL AND "qi_4" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL OR "qi_3" IS NULL OR "qi_4" IS NULL
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
    CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
    CAST(SUM("unconverted_3") AS BIGINT) AS "unconverted_3",
    CAST(SUM("unconverted_4") AS BIGINT) AS "unconverted_4"
  FROM "release"
  GROUP BY
    "qi_1",
    "qi_2",
    "qi_3",
    "qi_4"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unconverted_1") AS BIGINT) AS "unconverted_1",
  CAST(SUM("unconverted_2") AS BIGINT) AS "unconverted_2",
  CAST(SUM("unconverted_3") AS BIGINT) AS "unconverted_3",
  CAST(SUM("unconverted_4") AS BIGINT) AS "unconverted_4"
FROM "classes"
GROUP BY
  "size",
  "missing"
LIMIT 100001
