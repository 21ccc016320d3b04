WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."age" AS "qi_2",
    CAST("source"."weight" AS DOUBLE) AS "weight",
    0 AS "unconverted",
    "source"."member_id" AS "household"
  FROM "analytics"."claims" AS "source"
), "weighted" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2",
    CASE WHEN "measured" = 1 THEN "household" END AS "household",
    CASE WHEN "measured" = 1 AND "household" IS NULL THEN 1 ELSE 0 END AS "household_missing",
    CASE WHEN "measured" = 1 AND "weight" > 0 AND "weight" <= 1e15 THEN "weight" END AS "weight",
    CASE
      WHEN "measured" = 1 AND "weight" IS NULL AND "unconverted" = 0
      THEN 1
      ELSE 0
    END AS "weight_missing",
    CASE WHEN "measured" = 1 AND "unconverted" = 1 THEN 1 ELSE 0 END AS "weight_unconverted",
    CASE WHEN "measured" = 1 AND "weight" <= 0 THEN 1 ELSE 0 END AS "weight_not_positive",
    CASE WHEN "measured" = 1 AND NOT "weight" <= 1e15 THEN 1 ELSE 0 END AS "weight_not_finite"
  FROM (
    SELECT
      "qi_1",
      "qi_2",
      "household",
      "weight",
      "unconverted",
      1 AS "measured"
    FROM "release"
  ) AS "record"
), "population" AS (
  SELECT
    "source"."gender" AS "qi_1",
    "source"."age" AS "qi_2"
  FROM "insurer"."members" AS "source"
), "everyone" AS (
  SELECT
    "qi_1",
    "qi_2",
    1 AS "in_release",
    0 AS "in_population",
    "household_missing",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite",
    "weight"
  FROM "weighted"
  UNION ALL
  SELECT
    "qi_1",
    "qi_2",
    0 AS "in_release",
    1 AS "in_population",
    0 AS "household_missing",
    0 AS "weight_missing",
    0 AS "weight_unconverted",
    0 AS "weight_not_positive",
    0 AS "weight_not_finite",
    CAST(NULL AS DOUBLE) AS "weight"
  FROM "population"
), "classes" AS MATERIALIZED (
  SELECT
    CAST(SUM("in_release") AS BIGINT) AS "size",
    CAST(SUM("in_population") AS BIGINT) AS "population_size",
    CASE
      WHEN "qi_1" IS NULL AND "qi_2" IS NULL
      THEN 2
      WHEN "qi_1" IS NULL OR "qi_2" IS NULL
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
    CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
    CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
    CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
    CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
    CAST(COUNT("weight") AS BIGINT) AS "weighted",
    CAST(SUM("weight") AS DOUBLE) AS "weight",
    CAST(COUNT(CASE WHEN "weight" < 1 THEN 1 END) AS BIGINT) AS "weights_below_one"
  FROM "everyone"
  GROUP BY
    "qi_1",
    "qi_2"
), "household_members" AS (
  SELECT
    "household",
    CAST(COUNT(*) OVER (PARTITION BY "qi_1", "qi_2") AS BIGINT) AS "weighted",
    CAST(SUM("weight") OVER (PARTITION BY "qi_1", "qi_2") AS DOUBLE) AS "weight"
  FROM "weighted"
  WHERE
    NOT "weight" IS NULL
), "record_risks" AS (
  SELECT
    "weighted",
    "weight",
    "weights_below_one",
    CASE
      WHEN "q" = 0
      THEN 1 / "s"
      WHEN "s" = 1 AND "p" < 0.999
      THEN -"odds" * LN("p")
      WHEN "s" = 2 AND "p" < 0.95
      THEN "odds" * (
        1 + "odds" * LN("p")
      )
      WHEN "s" = 3 AND "p" < 0.9
      THEN "odds" * (
        1 / (
          "s" - 1
        ) - "odds" * (
          1 + "odds" * LN("p")
        )
      )
      ELSE "p" / "s" * (
        3.0844111576502014e-1 / (
          "p" + "q" * EXP(-1.3779347054049243e-1 / "s")
        ) + 4.0111992915527355e-1 / (
          "p" + "q" * EXP(-7.2945454950317050e-1 / "s")
        ) + 2.1806828761180942e-1 / (
          "p" + "q" * EXP(-1.8083429017403160 / "s")
        ) + 6.2087456098677747e-2 / (
          "p" + "q" * EXP(-3.4014336978548995 / "s")
        ) + 9.5015169751811006e-3 / (
          "p" + "q" * EXP(-5.5524961400638036 / "s")
        ) + 7.5300838858753878e-4 / (
          "p" + "q" * EXP(-8.3301527467644967 / "s")
        ) + 2.8259233495995656e-5 / (
          "p" + "q" * EXP(-1.1843785837900066e1 / "s")
        ) + 4.2493139849626864e-7 / (
          "p" + "q" * EXP(-1.6279257831378102e1 / "s")
        ) + 1.8395648239796308e-9 / (
          "p" + "q" * EXP(-2.1996585811980762e1 / "s")
        ) + 9.9118272196090086e-13 / (
          "p" + "q" * EXP(-2.9920697012273892e1 / "s")
        )
      )
    END AS "risk"
  FROM (
    SELECT
      "weighted",
      "weight",
      "weights_below_one",
      "s",
      CASE WHEN "w" > "s" THEN "s" / "w" ELSE 1 END AS "p",
      CASE WHEN "w" > "s" THEN (
        "w" - "s"
      ) / "w" ELSE 0 END AS "q",
      CASE WHEN "w" > "s" THEN "s" / (
        "w" - "s"
      ) ELSE 0 END AS "odds"
    FROM (
      SELECT
        "weighted",
        "weight",
        "weights_below_one",
        CAST("weighted" AS DOUBLE) AS "s",
        "weight" AS "w"
      FROM "classes"
      WHERE
        "weighted" > 0
    ) AS "class"
  ) AS "shares"
), "member_risks" AS (
  SELECT
    "household",
    CASE
      WHEN "q" = 0
      THEN 1 / "s"
      WHEN "s" = 1 AND "p" < 0.999
      THEN -"odds" * LN("p")
      WHEN "s" = 2 AND "p" < 0.95
      THEN "odds" * (
        1 + "odds" * LN("p")
      )
      WHEN "s" = 3 AND "p" < 0.9
      THEN "odds" * (
        1 / (
          "s" - 1
        ) - "odds" * (
          1 + "odds" * LN("p")
        )
      )
      ELSE "p" / "s" * (
        3.0844111576502014e-1 / (
          "p" + "q" * EXP(-1.3779347054049243e-1 / "s")
        ) + 4.0111992915527355e-1 / (
          "p" + "q" * EXP(-7.2945454950317050e-1 / "s")
        ) + 2.1806828761180942e-1 / (
          "p" + "q" * EXP(-1.8083429017403160 / "s")
        ) + 6.2087456098677747e-2 / (
          "p" + "q" * EXP(-3.4014336978548995 / "s")
        ) + 9.5015169751811006e-3 / (
          "p" + "q" * EXP(-5.5524961400638036 / "s")
        ) + 7.5300838858753878e-4 / (
          "p" + "q" * EXP(-8.3301527467644967 / "s")
        ) + 2.8259233495995656e-5 / (
          "p" + "q" * EXP(-1.1843785837900066e1 / "s")
        ) + 4.2493139849626864e-7 / (
          "p" + "q" * EXP(-1.6279257831378102e1 / "s")
        ) + 1.8395648239796308e-9 / (
          "p" + "q" * EXP(-2.1996585811980762e1 / "s")
        ) + 9.9118272196090086e-13 / (
          "p" + "q" * EXP(-2.9920697012273892e1 / "s")
        )
      )
    END AS "risk"
  FROM (
    SELECT
      "household",
      "s",
      CASE WHEN "w" > "s" THEN "s" / "w" ELSE 1 END AS "p",
      CASE WHEN "w" > "s" THEN (
        "w" - "s"
      ) / "w" ELSE 0 END AS "q",
      CASE WHEN "w" > "s" THEN "s" / (
        "w" - "s"
      ) ELSE 0 END AS "odds"
    FROM (
      SELECT
        "household",
        CAST("weighted" AS DOUBLE) AS "s",
        "weight" AS "w"
      FROM "household_members"
      WHERE
        "weighted" > 0
    ) AS "class"
  ) AS "shares"
), "household_risks" AS (
  SELECT
    "household",
    "records",
    CASE
      WHEN "certain" = 1 OR "h" > 50
      THEN 1
      WHEN "h" > 0.01
      THEN 1 - EXP(-"h")
      ELSE "h" * (
        1 - "h" / 2 * (
          1 - "h" / 3 * (
            1 - "h" / 4 * (
              1 - "h" / 5
            )
          )
        )
      )
    END AS "risk"
  FROM (
    SELECT
      "household",
      CAST(COUNT(*) AS BIGINT) AS "records",
      MAX(CASE WHEN "risk" < 1 THEN 0 ELSE 1 END) AS "certain",
      SUM(
        CASE
          WHEN "risk" >= 1
          THEN 0
          WHEN "risk" > 0.01
          THEN -LN(1 - "risk")
          ELSE "risk" * (
            1 + "risk" / 2 * (
              1 + "risk" * 2 / 3 * (
                1 + "risk" * 3 / 4 * (
                  1 + "risk" * 4 / 5 * (
                    1 + "risk" * 5 / 6
                  )
                )
              )
            )
          )
        END
      ) AS "h"
    FROM "member_risks"
    GROUP BY
      "household"
  ) AS "members"
)
SELECT
  'class_sizes' AS "arm",
  "size",
  "population_size",
  "missing",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
  CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
  CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
  CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
  CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE) AS "weight",
  CAST(NULL AS DOUBLE) AS "risk",
  CAST(NULL AS DOUBLE) AS "highest_risk"
FROM "classes"
GROUP BY
  "size",
  "population_size",
  "missing"
UNION ALL
SELECT
  'survey' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "population_size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(SUM("weighted") AS BIGINT) AS "weighted",
  CAST(SUM("weights_below_one") AS BIGINT) AS "weights_below_one",
  CAST(SUM("weight") AS DOUBLE) AS "weight",
  CAST(SUM("weighted" * "risk") AS DOUBLE) AS "risk",
  CAST(MAX(CASE WHEN "weighted" > 0 THEN "risk" END) AS DOUBLE) AS "highest_risk"
FROM "record_risks"
UNION ALL
SELECT
  'households' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "population_size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE) AS "weight",
  CAST(SUM("records" * "risk") AS DOUBLE) AS "risk",
  CAST(NULL AS DOUBLE) AS "highest_risk"
FROM "household_risks"
LIMIT 100001
