WITH "release" AS (
  SELECT
    "source"."sex" AS "qi_1",
    "source"."weight" AS "qi_2",
    "source"."member_id" AS "entity",
    CAST("source"."paid" AS DOUBLE PRECISION) AS "weight",
    0 AS "unconverted",
    CAST("source"."insurance" AS TEXT) AS "household",
    CASE WHEN "source"."member_id" IS NULL THEN 1 ELSE 0 END AS "unidentified"
  FROM "analytics"."claims" AS "source"
), "weighted" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    CASE WHEN "measured" = 1 THEN "household" END AS "household",
    CASE WHEN "measured" = 1 AND "household" IS NULL THEN 1 ELSE 0 END AS "household_missing",
    "unidentified",
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
      "entity",
      "household",
      "unidentified",
      "weight",
      "unconverted",
      CASE WHEN "qi_1" IS NULL OR "qi_2" IS NULL THEN 0 ELSE 1 END AS "measured"
    FROM "release"
  ) AS "record"
), "qi_1_codes" AS (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "qi_1"
    FROM "weighted"
    WHERE
      NOT "qi_1" IS NULL
    GROUP BY
      "qi_1"
  ) AS "value"
), "qi_2_codes" AS (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM (
    SELECT
      "qi_2"
    FROM "weighted"
    WHERE
      NOT "qi_2" IS NULL
    GROUP BY
      "qi_2"
  ) AS "value"
), "release_qi_1" AS (
  SELECT
    COALESCE("code", 0) AS "qi_1",
    "qi_2",
    "entity",
    "household",
    "household_missing",
    "unidentified",
    "weight",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite"
  FROM "weighted"
  LEFT JOIN "qi_1_codes"
    USING ("qi_1")
), "release_qi_2" AS MATERIALIZED (
  SELECT
    "qi_1",
    COALESCE("code", 0) AS "qi_2",
    "entity",
    "household",
    "household_missing",
    "unidentified",
    "weight",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "first_half" AS (
  SELECT
    "qi_1",
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST) AS "code"
  FROM "release_qi_2"
  GROUP BY
    "qi_1"
), "second_half" AS MATERIALIZED (
  SELECT
    "qi_2",
    ROW_NUMBER() OVER (ORDER BY "qi_2" NULLS FIRST) AS "code"
  FROM "release_qi_2"
  GROUP BY
    "qi_2"
), "numbered_release_qi_2" AS (
  SELECT
    "qi_1",
    "qi_2",
    "entity",
    "household",
    "household_missing",
    "unidentified",
    "weight",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite",
    "one"."code" * (
      SELECT
        MAX("code") + 1
      FROM "second_half"
    ) + "two"."code" AS "tuple"
  FROM "release_qi_2"
  JOIN "first_half" AS "one"
    USING ("qi_1")
  JOIN "second_half" AS "two"
    USING ("qi_2")
), "tuples" AS (
  SELECT
    "entity",
    CASE WHEN "qi_1" = 0 OR "qi_2" = 0 THEN NULL ELSE "tuple" END AS "tuple",
    "unidentified",
    "household_missing",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite",
    1 AS "records",
    CASE
      WHEN "qi_1" = 0 AND "qi_2" = 0
      THEN 0
      WHEN "qi_1" = 0 OR "qi_2" = 0
      THEN 1
      ELSE 0
    END AS "partly_missing",
    CASE WHEN "qi_1" = 0 AND "qi_2" = 0 THEN 1 ELSE 0 END AS "wholly_missing",
    "weight",
    "household"
  FROM "numbered_release_qi_2"
), "people" AS MATERIALIZED (
  SELECT
    "entity",
    CAST(ARRAY_AGG("tuple" ORDER BY "tuple") FILTER(WHERE
      NOT "tuple" IS NULL) AS TEXT) AS "person",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
    CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
    CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
    CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
    CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing",
    CASE WHEN MIN("weight") = MAX("weight") THEN MIN("weight") END AS "weight",
    CASE WHEN MIN("weight") < MAX("weight") THEN 1 ELSE 0 END AS "weights_differ",
    CASE WHEN MIN("household") = MAX("household") THEN MIN("household") END AS "household",
    CASE WHEN MIN("household") < MAX("household") THEN 1 ELSE 0 END AS "households_differ"
  FROM "tuples"
  GROUP BY
    "entity"
), "classes" AS MATERIALIZED (
  SELECT
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE WHEN "person" IS NULL THEN 0 ELSE 1 END AS "measured",
    CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
    CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
    CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
    CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
    CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
    CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
    CAST(SUM("records") AS BIGINT) AS "records",
    CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
    CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing",
    CAST(SUM("weights_differ") AS BIGINT) AS "weights_differ",
    CAST(SUM("households_differ") AS BIGINT) AS "households_differ",
    CAST(COUNT("weight") AS BIGINT) AS "weighted",
    CAST(SUM("weight") AS DOUBLE PRECISION) AS "weight",
    CAST(COUNT(CASE WHEN "weight" < 1 THEN 1 END) AS BIGINT) AS "weights_below_one"
  FROM "people"
  GROUP BY
    "person"
), "household_members" AS (
  SELECT
    "household",
    CAST(COUNT(*) OVER (PARTITION BY "person") AS BIGINT) AS "weighted",
    CAST(SUM("weight") OVER (PARTITION BY "person") AS DOUBLE PRECISION) AS "weight"
  FROM "people"
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
        CAST("weighted" AS DOUBLE PRECISION) AS "s",
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
        CAST("weighted" AS DOUBLE PRECISION) AS "s",
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
  "measured",
  CAST(COUNT(*) AS BIGINT) AS "classes",
  CAST(SUM("unidentified") AS BIGINT) AS "unidentified",
  CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
  CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
  CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
  CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
  CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
  CAST(SUM("records") AS BIGINT) AS "records",
  CAST(SUM("partly_missing") AS BIGINT) AS "partly_missing",
  CAST(SUM("wholly_missing") AS BIGINT) AS "wholly_missing",
  CAST(SUM("weights_differ") AS BIGINT) AS "weights_differ",
  CAST(SUM("households_differ") AS BIGINT) AS "households_differ",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE PRECISION) AS "weight",
  CAST(NULL AS DOUBLE PRECISION) AS "risk",
  CAST(NULL AS DOUBLE PRECISION) AS "highest_risk"
FROM "classes"
GROUP BY
  "size",
  "measured"
UNION ALL
SELECT
  'survey' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  CAST(NULL AS BIGINT) AS "weights_differ",
  CAST(NULL AS BIGINT) AS "households_differ",
  CAST(SUM("weighted") AS BIGINT) AS "weighted",
  CAST(SUM("weights_below_one") AS BIGINT) AS "weights_below_one",
  CAST(SUM("weight") AS DOUBLE PRECISION) AS "weight",
  CAST(SUM("weighted" * "risk") AS DOUBLE PRECISION) AS "risk",
  CAST(MAX(CASE WHEN "weighted" > 0 THEN "risk" END) AS DOUBLE PRECISION) AS "highest_risk"
FROM "record_risks"
UNION ALL
SELECT
  'households' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "measured",
  CAST(NULL AS BIGINT) AS "classes",
  CAST(NULL AS BIGINT) AS "unidentified",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "records",
  CAST(NULL AS BIGINT) AS "partly_missing",
  CAST(NULL AS BIGINT) AS "wholly_missing",
  CAST(NULL AS BIGINT) AS "weights_differ",
  CAST(NULL AS BIGINT) AS "households_differ",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE PRECISION) AS "weight",
  CAST(SUM("records" * "risk") AS DOUBLE PRECISION) AS "risk",
  CAST(NULL AS DOUBLE PRECISION) AS "highest_risk"
FROM "household_risks"
LIMIT 100001
