-- Between two values that follow each other in a class, its cumulated share stands still while the table's rises: up to
-- which value is the table's below it? Asked once for each share that occurs, by sorting them among the table's values:
-- no class meets a value that it does not have.
-- Columns: cumulated, filled (the share is cumulated/filled), reached (how many values of the table are at most there),
--   reached_upto (the sum of upto over them).
SELECT
  cumulated,
  filled,
  reached,
  reached_upto
FROM (
  SELECT
    cumulated,
    filled,
    is_level,
    SUM(1 - is_level) OVER (
      ORDER BY share NULLS FIRST, is_level NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS reached,
    SUM(upto) OVER (
      ORDER BY share NULLS FIRST, is_level NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS reached_upto
  FROM (
    SELECT
      cumulated,
      filled,
      CAST(cumulated AS DOUBLE) / CAST(filled AS DOUBLE) AS share,
      1 AS is_level,
      CAST(0 AS DOUBLE) AS upto
    FROM ordered_shares
    WHERE next_position > position + 1
    GROUP BY cumulated, filled
    UNION ALL
    SELECT
      CAST(NULL AS BIGINT) AS cumulated,
      CAST(NULL AS BIGINT) AS filled,
      upto / whole AS share,
      0 AS is_level,
      upto
    FROM sensitive_values
  ) AS level
) AS crossing
WHERE is_level = 1
