WITH "release" AS (
  SELECT
    CASE WHEN "source"."sex" = '*' THEN NULL ELSE "source"."sex" END AS "qi_1",
    "source"."age" AS "qi_2",
    CAST("source"."weight" AS DOUBLE PRECISION) AS "weight",
    0 AS "unconverted",
    "source"."member_id" AS "household",
    CASE WHEN "source"."sex" = '*' AND "source"."age" IS NULL THEN 1 ELSE 0 END AS "suppressed"
  FROM "analytics"."claims" AS "source"
), "weighted" AS MATERIALIZED (
  SELECT
    "qi_1",
    "qi_2",
    CASE WHEN "measured" = 1 THEN "household" END AS "household",
    CASE WHEN "measured" = 1 AND "household" IS NULL THEN 1 ELSE 0 END AS "household_missing",
    "suppressed",
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
      "suppressed",
      "weight",
      "unconverted",
      CASE WHEN "suppressed" = 1 THEN 0 ELSE 1 END AS "measured"
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
    "household",
    "household_missing",
    "suppressed",
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
    "household",
    "household_missing",
    "suppressed",
    "weight",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite"
  FROM "release_qi_1"
  LEFT JOIN "qi_2_codes"
    USING ("qi_2")
), "classes" AS (
  SELECT
    "qi_1",
    "qi_2",
    CAST(COUNT(*) AS BIGINT) AS "size",
    CASE
      WHEN "qi_1" = 0 AND "qi_2" = 0
      THEN 2
      WHEN "qi_1" = 0 OR "qi_2" = 0
      THEN 1
      ELSE 0
    END AS "missing",
    CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
    CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
    CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
    CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
    CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
    CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
    CAST(COUNT("weight") AS BIGINT) AS "weighted",
    CAST(SUM("weight") AS DOUBLE PRECISION) AS "weight",
    CAST(COUNT(CASE WHEN "weight" < 1 THEN 1 END) AS BIGINT) AS "weights_below_one"
  FROM "release_qi_2"
  GROUP BY
    "qi_1",
    "qi_2"
), "wild_classes" AS MATERIALIZED (
  SELECT
    ROW_NUMBER() OVER (ORDER BY "qi_1" NULLS FIRST, "qi_2" NULLS FIRST) AS "class",
    "qi_1",
    "qi_2",
    CASE WHEN "qi_1" = 0 THEN 1 ELSE 0 END + CASE WHEN "qi_2" = 0 THEN 2 ELSE 0 END AS "pattern",
    "size" - "suppressed" AS "size",
    "weighted",
    "weight",
    "missing",
    "suppressed",
    "household_missing",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite",
    "weights_below_one"
  FROM "classes"
), "patterns" AS MATERIALIZED (
  SELECT
    "pattern",
    MAX(CASE WHEN "qi_1" = 0 THEN 0 ELSE 1 END) AS "present_1",
    MAX(CASE WHEN "qi_2" = 0 THEN 0 ELSE 1 END) AS "present_2"
  FROM "wild_classes"
  WHERE
    "pattern" > 0
    AND (
      SELECT
        COUNT(*)
      FROM "wild_classes"
    ) * (
      SELECT
        COUNT(DISTINCT "pattern")
      FROM "wild_classes"
    ) <= 100000000
  GROUP BY
    "pattern"
), "all_patterns" AS (
  SELECT
    "pattern",
    "present_1",
    "present_2"
  FROM "patterns"
  UNION ALL
  SELECT
    0 AS "pattern",
    1 AS "present_1",
    1 AS "present_2"
), "gap_groups" AS MATERIALIZED (
  SELECT
    "own",
    "other",
    "qi_1",
    "qi_2",
    ROW_NUMBER() OVER (
      ORDER BY "own" NULLS FIRST, "other" NULLS FIRST, "qi_1" NULLS FIRST, "qi_2" NULLS FIRST
    ) AS "number",
    CAST(SUM("size") AS BIGINT) AS "size",
    CAST(SUM("weighted") AS BIGINT) AS "weighted",
    CAST(SUM("weight") AS DOUBLE PRECISION) AS "weight"
  FROM (
    SELECT
      "looking"."pattern" AS "own",
      "wild"."pattern" AS "other",
      "wild"."qi_1" * "looking"."present_1" AS "qi_1",
      "wild"."qi_2" * "looking"."present_2" AS "qi_2",
      "wild"."size",
      "wild"."weighted",
      "wild"."weight"
    FROM "wild_classes" AS "wild"
    CROSS JOIN "all_patterns" AS "looking"
    WHERE
      "wild"."pattern" > 0
  ) AS "gap"
  GROUP BY
    "own",
    "other",
    "qi_1",
    "qi_2"
), "meetings" AS MATERIALIZED (
  SELECT
    "class",
    "own",
    "number",
    "own_size",
    "own_weighted",
    "own_weight",
    "size",
    "weighted",
    "weight"
  FROM (
    SELECT
      "class",
      "wild"."pattern" AS "own",
      "looked"."pattern" AS "other",
      "wild"."qi_1" * "looked"."present_1" AS "qi_1",
      "wild"."qi_2" * "looked"."present_2" AS "qi_2",
      "wild"."size" AS "own_size",
      "wild"."weighted" AS "own_weighted",
      "wild"."weight" AS "own_weight"
    FROM "wild_classes" AS "wild"
    CROSS JOIN "patterns" AS "looked"
  ) AS "seen"
  JOIN "gap_groups"
    USING ("own", "other", "qi_1", "qi_2")
), "gap_sizes" AS (
  SELECT
    "class",
    CAST(SUM("size") AS BIGINT) AS "size",
    CAST(SUM("weighted") AS BIGINT) AS "weighted",
    CAST(SUM("weight") AS DOUBLE PRECISION) AS "weight"
  FROM "meetings"
  GROUP BY
    "class"
), "whole_sizes" AS (
  SELECT
    "number",
    CAST(SUM("own_size") AS BIGINT) AS "size",
    CAST(SUM("own_weighted") AS BIGINT) AS "weighted",
    CAST(SUM("own_weight") AS DOUBLE PRECISION) AS "weight"
  FROM "meetings"
  WHERE
    "own" = 0
  GROUP BY
    "number"
), "own_groups" AS (
  SELECT
    "class",
    "number"
  FROM (
    SELECT
      "class",
      0 AS "own",
      "pattern" AS "other",
      "qi_1",
      "qi_2"
    FROM "wild_classes"
    WHERE
      "pattern" > 0
  ) AS "wild"
  JOIN "gap_groups"
    USING ("own", "other", "qi_1", "qi_2")
), "matches" AS MATERIALIZED (
  SELECT
    "class",
    "missing",
    "wild"."size" AS "own_size",
    "wild"."weighted" AS "own_weighted",
    "wild"."weight" AS "own_weight",
    "suppressed",
    "household_missing",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite",
    "weights_below_one",
    CASE WHEN "pattern" = 0 THEN "wild"."size" ELSE COALESCE("whole"."size", 0) END + COALESCE("gap"."size", 0) AS "size",
    CASE
      WHEN "pattern" = 0
      THEN "wild"."weighted"
      ELSE COALESCE("whole"."weighted", 0)
    END + COALESCE("gap"."weighted", 0) AS "weighted",
    CASE WHEN "pattern" = 0 THEN "wild"."weight" ELSE COALESCE("whole"."weight", 0) END + COALESCE("gap"."weight", 0) AS "weight"
  FROM "wild_classes" AS "wild"
  LEFT JOIN "gap_sizes" AS "gap"
    USING ("class")
  LEFT JOIN (
    SELECT
      "class",
      "size",
      "weighted",
      "weight"
    FROM "own_groups"
    JOIN "whole_sizes"
      USING ("number")
  ) AS "whole"
    USING ("class")
), "wild_rows" AS (
  SELECT
    "class",
    "household",
    "household_missing",
    "suppressed",
    "weight",
    "weight_missing",
    "weight_unconverted",
    "weight_not_positive",
    "weight_not_finite"
  FROM "release_qi_2"
  JOIN (
    SELECT
      "class",
      "qi_1",
      "qi_2"
    FROM "wild_classes"
  ) AS "numbered"
    USING ("qi_1", "qi_2")
), "household_members" AS (
  SELECT
    "household",
    "weighted",
    "weight"
  FROM (
    SELECT
      "class",
      "household"
    FROM "wild_rows"
    WHERE
      NOT "weight" IS NULL
  ) AS "member"
  JOIN (
    SELECT
      "class",
      "weighted",
      "weight"
    FROM "matches"
  ) AS "matched"
    USING ("class")
), "record_risks" AS (
  SELECT
    "own_weighted",
    "own_weight",
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
      "own_weighted",
      "own_weight",
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
        "own_weighted",
        "own_weight",
        "weights_below_one",
        CAST("weighted" AS DOUBLE PRECISION) AS "s",
        "weight" AS "w"
      FROM "matches"
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
  'record_sizes' AS "arm",
  "size",
  "missing",
  CAST(SUM("own_size") AS BIGINT) AS "own_size",
  CAST(SUM("suppressed") AS BIGINT) AS "suppressed",
  CAST(SUM("household_missing") AS BIGINT) AS "household_missing",
  CAST(SUM("weight_missing") AS BIGINT) AS "weight_missing",
  CAST(SUM("weight_unconverted") AS BIGINT) AS "weight_unconverted",
  CAST(SUM("weight_not_positive") AS BIGINT) AS "weight_not_positive",
  CAST(SUM("weight_not_finite") AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "wild_classes",
  CAST(NULL AS BIGINT) AS "wild_patterns",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE PRECISION) AS "weight",
  CAST(NULL AS DOUBLE PRECISION) AS "risk",
  CAST(NULL AS DOUBLE PRECISION) AS "highest_risk"
FROM "matches"
GROUP BY
  "size",
  "missing"
UNION ALL
SELECT
  'wildcard' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "own_size",
  CAST(NULL AS BIGINT) AS "suppressed",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(COUNT(*) AS BIGINT) AS "wild_classes",
  CAST(COUNT(DISTINCT "pattern") AS BIGINT) AS "wild_patterns",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE PRECISION) AS "weight",
  CAST(NULL AS DOUBLE PRECISION) AS "risk",
  CAST(NULL AS DOUBLE PRECISION) AS "highest_risk"
FROM "wild_classes"
UNION ALL
SELECT
  'survey' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "own_size",
  CAST(NULL AS BIGINT) AS "suppressed",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "wild_classes",
  CAST(NULL AS BIGINT) AS "wild_patterns",
  CAST(SUM("own_weighted") AS BIGINT) AS "weighted",
  CAST(SUM("weights_below_one") AS BIGINT) AS "weights_below_one",
  CAST(SUM("own_weight") AS DOUBLE PRECISION) AS "weight",
  CAST(SUM("own_weighted" * "risk") AS DOUBLE PRECISION) AS "risk",
  CAST(MAX(CASE WHEN "own_weighted" > 0 THEN "risk" END) AS DOUBLE PRECISION) AS "highest_risk"
FROM "record_risks"
UNION ALL
SELECT
  'households' AS "arm",
  CAST(NULL AS BIGINT) AS "size",
  CAST(NULL AS BIGINT) AS "missing",
  CAST(NULL AS BIGINT) AS "own_size",
  CAST(NULL AS BIGINT) AS "suppressed",
  CAST(NULL AS BIGINT) AS "household_missing",
  CAST(NULL AS BIGINT) AS "weight_missing",
  CAST(NULL AS BIGINT) AS "weight_unconverted",
  CAST(NULL AS BIGINT) AS "weight_not_positive",
  CAST(NULL AS BIGINT) AS "weight_not_finite",
  CAST(NULL AS BIGINT) AS "wild_classes",
  CAST(NULL AS BIGINT) AS "wild_patterns",
  CAST(NULL AS BIGINT) AS "weighted",
  CAST(NULL AS BIGINT) AS "weights_below_one",
  CAST(NULL AS DOUBLE PRECISION) AS "weight",
  CAST(SUM("records" * "risk") AS DOUBLE PRECISION) AS "risk",
  CAST(NULL AS DOUBLE PRECISION) AS "highest_risk"
FROM "household_risks"
LIMIT 100001
