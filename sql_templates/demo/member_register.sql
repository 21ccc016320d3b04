/*
The demo's member register: 500,000 made-up members of a health insurer, one row a member.

Slots
  __seed__   one row, one column: seed BIGINT. The same seed gives the same rows on any engine version and thread count.

Columns
  member_id  BIGINT, 1000001 and up, unique
  sex        TEXT, 'F' or 'M'
  age        INTEGER, 0 to 99, in whole years; 99 stands for 99 and older
  zip        TEXT, five digits, the first of them 0; 420 ZIPs in 10 three-digit areas, few of them large and many small

How: only integer arithmetic, so nothing depends on a random() or a hash() that may change. A draw is a number below the
prime 2147483579; cubing is a permutation modulo that prime, so each draw is the cube of a step from the one before, and no
product leaves 63 bits. A value is drawn like a lottery ticket: it holds as many tickets as its weight, the tickets are
numbered from 0, and the draw modulo their number picks one.
*/
WITH ages(from_age, to_age, women_at_from, women_at_to, men_at_from, men_at_to) AS (
  -- weights at both ends of a stretch of ages; the ages between lie on a straight line
  VALUES
    (0, 9, 108, 118, 113, 124),
    (10, 19, 119, 124, 125, 130),
    (20, 34, 124, 138, 126, 138),
    (35, 49, 137, 124, 136, 121),
    (50, 64, 124, 125, 121, 118),
    (65, 74, 120, 96, 111, 84),
    (75, 84, 90, 44, 77, 31),
    (85, 94, 39, 7, 26, 3),
    (95, 99, 5, 1, 2, 1)
),
age_weights AS (
  SELECT
    'F' AS sex,
    from_age + step AS age,
    (women_at_from * (to_age - from_age - step) + women_at_to * step) // (to_age - from_age) AS weight
  FROM ages
  JOIN range(15) AS steps(step) ON step <= to_age - from_age
  UNION ALL
  SELECT
    'M' AS sex,
    from_age + step AS age,
    (men_at_from * (to_age - from_age - step) + men_at_to * step) // (to_age - from_age) AS weight
  FROM ages
  JOIN range(15) AS steps(step) ON step <= to_age - from_age
),
age_tickets AS (
  SELECT
    sex,
    age,
    ROW_NUMBER() OVER (ORDER BY sex NULLS FIRST, age NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM age_weights
  JOIN range(200) AS copies(copy) ON copy < weight
),
areas(area, prefix, weight) AS (
  VALUES
    (0, '010', 9),
    (1, '012', 7),
    (2, '014', 8),
    (3, '015', 10),
    (4, '017', 11),
    (5, '018', 12),
    (6, '021', 15),
    (7, '023', 10),
    (8, '025', 7),
    (9, '028', 11)
),
zip_weights AS (
  -- Zipf-like: the weight falls with the rank of the ZIP among all ZIPs
  SELECT
    prefix || SUBSTRING(CAST(101 + (place * 37 + area * 11) % 97 AS TEXT), 2, 2) AS zip,
    weight * 1000 // (150 + place * 10 + area) AS weight
  FROM areas
  CROSS JOIN range(42) AS places(place)
),
zip_tickets AS (
  SELECT
    zip,
    ROW_NUMBER() OVER (ORDER BY zip NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM zip_weights
  JOIN range(500) AS copies(copy) ON copy < weight
),
totals AS (
  SELECT
    (SELECT COUNT(*) FROM age_tickets) AS age_tickets,
    (SELECT COUNT(*) FROM zip_tickets) AS zip_tickets
),
members AS (
  SELECT
    1000001 + n AS member_id,
    (n * 1103515245 + (seed % 2147483579 + 2147483579) % 2147483579 * 1566083941 + 12345) % 2147483579 AS first_step
  FROM range(500000) AS numbers(n)
  CROSS JOIN __seed__
),
mixed AS (
  SELECT
    *,
    (first_step * first_step % 2147483579 * first_step % 2147483579 * 1812433253 + 907633515) % 2147483579 AS second_step
  FROM members
),
age_steps AS (
  SELECT
    *,
    (second_step * second_step % 2147483579 * second_step % 2147483579 * 1664525 + 1013904223) % 2147483579 AS age_step
  FROM mixed
),
age_draws AS (
  SELECT *, age_step * age_step % 2147483579 * age_step % 2147483579 AS age_draw
  FROM age_steps
),
zip_steps AS (
  SELECT *, (age_draw * 1597334677 + 314159269) % 2147483579 AS zip_step
  FROM age_draws
),
zip_draws AS (
  SELECT *, zip_step * zip_step % 2147483579 * zip_step % 2147483579 AS zip_draw
  FROM zip_steps
),
drawn AS (
  SELECT member_id, age_draw % age_tickets AS age_ticket, zip_draw % zip_tickets AS zip_ticket
  FROM zip_draws
  CROSS JOIN totals
)
SELECT
  CAST(drawn.member_id AS BIGINT) AS member_id,
  age_tickets.sex AS sex,
  CAST(age_tickets.age AS INTEGER) AS age,
  zip_tickets.zip AS zip
FROM drawn
JOIN age_tickets ON age_tickets.ticket = drawn.age_ticket
JOIN zip_tickets ON zip_tickets.ticket = drawn.zip_ticket
ORDER BY drawn.member_id NULLS FIRST
