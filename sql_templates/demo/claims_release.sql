/*
The demo's claims release: about 50,000 made-up claims of about 20,000 members, one row a claim.

The members are a random sample of one in 25 from the register; sex, age and zip are the register's, the same on each of a
member's rows. Most members have one claim or two, a few have many; older members have more.

Slots
  __seed__             one row, one column: seed BIGINT. The same seed and register give the same rows on any engine version
                       and thread count.
  __member_register__  the rows of member_register.sql: member_id, sex, age, zip

Columns
  member_id  BIGINT, as in the register
  sex        TEXT, as in the register
  age        INTEGER, as in the register
  zip        TEXT, as in the register
  admitted   DATE in 2025; more on working days than at the weekend, more in winter than in summer
  diagnosis  TEXT, an ICD-10-CM code; frequent and rare ones, depending on age and sex; chronic ones come back
  paid       DECIMAL(10,2), around the diagnosis's typical price, with a long tail

How: only integer arithmetic, as in member_register.sql, which explains draws and tickets.
*/
WITH claim_counts(claims, under_40, under_65, older) AS (
  -- how many claims a member has: of 1,000 members under 40, from 40 to 64, and from 65, so many
  VALUES
    (1, 525, 400, 230),
    (2, 243, 240, 212),
    (3, 112, 140, 170),
    (4, 54, 82, 120),
    (5, 28, 50, 86),
    (6, 16, 32, 60),
    (7, 9, 20, 42),
    (8, 5, 13, 29),
    (10, 4, 11, 25),
    (12, 2, 6, 13),
    (16, 1, 4, 8),
    (24, 1, 2, 5)
),
count_tickets AS (
  SELECT 0 AS age_group, claims, ROW_NUMBER() OVER (ORDER BY claims NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM claim_counts
  JOIN range(1000) AS copies(copy) ON copy < under_40
  UNION ALL
  SELECT 1 AS age_group, claims, ROW_NUMBER() OVER (ORDER BY claims NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM claim_counts
  JOIN range(1000) AS copies(copy) ON copy < under_65
  UNION ALL
  SELECT 2 AS age_group, claims, ROW_NUMBER() OVER (ORDER BY claims NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM claim_counts
  JOIN range(1000) AS copies(copy) ON copy < older
),
months(first_day, last_day, weight) AS (
  -- days counted from 0, 1 January 2025
  VALUES
    (0, 30, 12), (31, 58, 12), (59, 89, 11), (90, 119, 10), (120, 150, 10), (151, 180, 9),
    (181, 211, 8), (212, 242, 8), (243, 272, 10), (273, 303, 11), (304, 333, 11), (334, 364, 12)
),
weekdays(weekday, weight) AS (
  -- Monday is 0
  VALUES (0, 20), (1, 19), (2, 18), (3, 18), (4, 16), (5, 6), (6, 3)
),
day_tickets AS (
  -- 1 January 2025 was a Wednesday
  SELECT day, ROW_NUMBER() OVER (ORDER BY day NULLS FIRST, copy NULLS FIRST) - 1 AS ticket
  FROM range(365) AS days(day)
  JOIN months ON day >= first_day AND day <= last_day
  JOIN weekdays ON weekday = (day + 2) % 7
  JOIN range(240) AS copies(copy) ON copy < months.weight * weekdays.weight
),
day_total AS (
  SELECT COUNT(*) AS tickets
  FROM day_tickets
),
diagnoses(code, sex, from_age, to_age, weight, price, chronic) AS (
  -- sex NULL: both; to_age is the last age; price in whole dollars
  VALUES
    ('Z00.129', NULL, 0, 17, 170, 160, 0),      -- routine child examination
    ('Z00.00', NULL, 18, 99, 75, 190, 0),       -- general adult examination
    ('Z23', NULL, 0, 99, 30, 70, 0),            -- immunisation
    ('J06.9', NULL, 0, 39, 80, 95, 0),          -- acute upper respiratory infection
    ('J06.9', NULL, 40, 99, 35, 105, 0),
    ('J20.9', NULL, 0, 99, 22, 130, 0),         -- acute bronchitis
    ('J18.9', NULL, 65, 99, 25, 5200, 0),       -- pneumonia
    ('H66.90', NULL, 0, 9, 75, 120, 0),         -- otitis media
    ('J45.909', NULL, 0, 64, 28, 210, 1),       -- asthma
    ('A09', NULL, 0, 99, 12, 180, 0),           -- gastroenteritis
    ('F90.9', NULL, 6, 29, 30, 170, 1),         -- attention deficit disorder
    ('L70.0', NULL, 12, 29, 24, 140, 0),        -- acne
    ('F41.1', 'F', 14, 64, 42, 160, 1),         -- anxiety disorder
    ('F41.1', 'M', 14, 64, 24, 160, 1),
    ('F32.A', NULL, 14, 99, 26, 170, 1),        -- depression
    ('F11.20', NULL, 18, 64, 7, 640, 1),        -- opioid dependence
    ('G43.909', 'F', 14, 64, 18, 220, 1),       -- migraine
    ('G43.909', 'M', 14, 64, 6, 220, 1),
    ('S52.501A', NULL, 4, 29, 10, 1450, 0),     -- fracture of the forearm
    ('S72.001A', NULL, 70, 99, 14, 17500, 0),   -- fracture of the hip
    ('M54.50', NULL, 18, 99, 62, 240, 1),       -- low back pain
    ('M17.11', NULL, 50, 99, 34, 1900, 1),      -- osteoarthritis of the knee
    ('O80', 'F', 18, 44, 26, 8600, 0),          -- delivery
    ('O24.410', 'F', 20, 44, 6, 310, 0),        -- gestational diabetes
    ('N39.0', 'F', 14, 99, 34, 150, 0),         -- urinary tract infection
    ('N39.0', 'M', 50, 99, 10, 170, 0),
    ('N40.1', 'M', 50, 99, 34, 330, 1),         -- enlarged prostate
    ('C61', 'M', 50, 99, 14, 5400, 1),          -- prostate cancer
    ('C50.911', 'F', 30, 99, 12, 6100, 1),      -- breast cancer
    ('C34.90', NULL, 50, 99, 7, 8900, 1),       -- lung cancer
    ('I10', NULL, 30, 99, 105, 150, 1),         -- high blood pressure
    ('E11.9', NULL, 35, 99, 68, 280, 1),        -- type 2 diabetes
    ('E10.9', NULL, 5, 64, 5, 560, 1),          -- type 1 diabetes
    ('E78.5', NULL, 35, 99, 58, 130, 1),        -- raised lipids
    ('K21.9', NULL, 25, 99, 30, 190, 1),        -- reflux
    ('K80.20', NULL, 30, 99, 8, 4300, 0),       -- gallstones
    ('I25.10', NULL, 50, 99, 40, 1300, 1),      -- coronary heart disease
    ('I48.91', NULL, 60, 99, 34, 980, 1),       -- atrial fibrillation
    ('I50.9', NULL, 65, 99, 28, 6900, 1),       -- heart failure
    ('J44.9', NULL, 50, 99, 26, 720, 1),        -- chronic obstructive lung disease
    ('N18.30', NULL, 55, 99, 24, 460, 1),       -- chronic kidney disease
    ('N18.6', NULL, 40, 99, 4, 9800, 1),        -- end-stage kidney disease
    ('H25.9', NULL, 60, 99, 32, 1750, 0),       -- cataract
    ('G30.9', NULL, 75, 99, 26, 840, 1),        -- Alzheimer's disease
    ('G20.A1', NULL, 60, 99, 7, 690, 1),        -- Parkinson's disease
    ('B20', NULL, 20, 74, 3, 2300, 1),          -- HIV disease
    ('G35', NULL, 20, 69, 2, 5900, 1),          -- multiple sclerosis
    ('E84.0', NULL, 0, 39, 1, 21000, 1),        -- cystic fibrosis
    ('D57.1', NULL, 0, 54, 1, 3900, 1)          -- sickle-cell disease
),
diagnosis_tickets AS (
  -- the chronic ones have the lowest numbers
  SELECT
    sexes.sex AS sex,
    age,
    code,
    CAST(price AS BIGINT) AS price,
    chronic,
    ROW_NUMBER() OVER (
      PARTITION BY sexes.sex, age
      ORDER BY chronic DESC NULLS FIRST, code NULLS FIRST, copy NULLS FIRST
    ) - 1 AS ticket
  FROM diagnoses
  JOIN (VALUES ('F'), ('M')) AS sexes(sex) ON diagnoses.sex IS NULL OR diagnoses.sex = sexes.sex
  JOIN range(100) AS ages(age) ON age >= from_age AND age <= to_age
  JOIN range(200) AS copies(copy) ON copy < weight
),
diagnosis_totals AS (
  SELECT sex, age, COUNT(*) AS tickets, SUM(chronic) AS chronic_tickets
  FROM diagnosis_tickets
  GROUP BY sex, age
),
members AS (
  SELECT
    member_id,
    sex,
    age,
    zip,
    CASE WHEN age < 40 THEN 0 WHEN age < 65 THEN 1 ELSE 2 END AS age_group,
    (
      member_id % 2147483579 * 69069 + (seed % 2147483579 + 2147483579) % 2147483579 * 1284865837 + 5551
    ) % 2147483579 AS first_step
  FROM __member_register__
  CROSS JOIN __seed__
),
mixed AS (
  SELECT
    *,
    (first_step * first_step % 2147483579 * first_step % 2147483579 * 1181783497 + 276803) % 2147483579 AS second_step
  FROM members
),
sample_steps AS (
  SELECT
    *,
    (second_step * second_step % 2147483579 * second_step % 2147483579 * 1103515245 + 12345) % 2147483579 AS sample_step
  FROM mixed
),
sample_draws AS (
  SELECT *, sample_step * sample_step % 2147483579 * sample_step % 2147483579 AS sample_draw
  FROM sample_steps
),
sampled AS (
  -- one member in 25; the rest of the draw picks the number of claims and the member's own diagnosis
  SELECT
    member_id,
    sex,
    age,
    zip,
    age_group,
    sample_draw // 25 % 1000 AS count_ticket,
    sample_draw // 25000 AS own_draw,
    sample_draw
  FROM sample_draws
  WHERE sample_draw % 25 = 0
),
claims AS (
  SELECT
    sampled.*,
    claim,
    (sample_draw * 1664525 + claim * 1566083941 + 1013904223) % 2147483579 AS claim_step
  FROM sampled
  JOIN count_tickets
    ON count_tickets.age_group = sampled.age_group AND count_tickets.ticket = sampled.count_ticket
  JOIN range(24) AS numbers(claim) ON claim < claims
),
day_steps AS (
  SELECT
    *,
    (claim_step * claim_step % 2147483579 * claim_step % 2147483579 * 1812433253 + 907633515) % 2147483579 AS day_step
  FROM claims
),
day_draws AS (
  SELECT *, day_step * day_step % 2147483579 * day_step % 2147483579 AS day_draw
  FROM day_steps
),
diagnosis_steps AS (
  SELECT *, (day_draw * 1597334677 + 314159269) % 2147483579 AS diagnosis_step
  FROM day_draws
),
diagnosis_draws AS (
  SELECT *, diagnosis_step * diagnosis_step % 2147483579 * diagnosis_step % 2147483579 AS diagnosis_draw
  FROM diagnosis_steps
),
paid_steps AS (
  SELECT *, (diagnosis_draw * 1181783497 + 276803) % 2147483579 AS paid_step
  FROM diagnosis_draws
),
paid_draws AS (
  SELECT *, paid_step * paid_step % 2147483579 * paid_step % 2147483579 AS paid_draw
  FROM paid_steps
),
drawn AS (
  SELECT
    member_id,
    paid_draws.sex AS sex,
    paid_draws.age AS age,
    zip,
    claim,
    day_draw % day_total.tickets AS day_ticket,
    -- every other claim is for what the member has anyway, if that is chronic
    CASE
      WHEN paid_draw % 2 = 0 AND own_draw % diagnosis_totals.tickets < chronic_tickets
        THEN own_draw % diagnosis_totals.tickets
      ELSE diagnosis_draw % diagnosis_totals.tickets
    END AS diagnosis_ticket,
    paid_draw // 2 % 1000000 AS price_draw
  FROM paid_draws
  JOIN diagnosis_totals ON diagnosis_totals.sex = paid_draws.sex AND diagnosis_totals.age = paid_draws.age
  CROSS JOIN day_total
)
SELECT
  CAST(drawn.member_id AS BIGINT) AS member_id,
  drawn.sex AS sex,
  CAST(drawn.age AS INTEGER) AS age,
  drawn.zip AS zip,
  CAST('2025-01-01' AS DATE) + CAST(day_tickets.day AS INTEGER) AS admitted,
  diagnosis_tickets.code AS diagnosis,
  CAST(
    CAST(diagnosis_tickets.price * 40000000 // (20000 + drawn.price_draw) AS DECIMAL(12, 0)) * 0.01 AS DECIMAL(10, 2)
  ) AS paid
FROM drawn
JOIN day_tickets ON day_tickets.ticket = drawn.day_ticket
JOIN diagnosis_tickets
  ON diagnosis_tickets.sex = drawn.sex
  AND diagnosis_tickets.age = drawn.age
  AND diagnosis_tickets.ticket = drawn.diagnosis_ticket
ORDER BY drawn.member_id NULLS FIRST, admitted NULLS FIRST, drawn.claim NULLS FIRST
