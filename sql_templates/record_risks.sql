-- Each class with the risk of its records by their survey weights (Benedetti & Franconi 1998): the mean of 1/F, where F,
-- the people of the population in the class, is negative binomial. With s records whose weights sum to w, p = s/w (1 where
-- w is below s) and q = 1 - p, the risk is (p/s) 2F1(1, 1; s + 1; q), which is p/s times the integral over x from 0 to
-- infinity of exp(-x) / (p + q exp(-x/s)).
-- For 1, 2 and 3 records by the closed forms risk(1) = -(p/q) ln(p) and risk(s + 1) = (p/q) (1/s - risk(s)), unless p is so
-- near 1 that they would lose digits. Elsewhere by Gauss-Laguerre quadrature, the ten nodes of which are the numbers below.
-- The relative error, measured over sizes and weights, is below 1.2e-10: it is largest at 4 records and p = 0.03, and falls
-- thirtyfold with each further record.
-- Slots:
--   __kept__  the columns to keep
-- Columns: those kept, and risk.
SELECT
  __kept__,
  CASE
    WHEN q = 0 THEN 1 / s
    WHEN s = 1 AND p < 0.999 THEN -odds * LN(p)
    WHEN s = 2 AND p < 0.95 THEN odds * (1 + odds * LN(p))
    WHEN s = 3 AND p < 0.9 THEN odds * (1 / (s - 1) - odds * (1 + odds * LN(p)))
    ELSE p / s * (
      3.0844111576502014e-1 / (p + q * EXP(-1.3779347054049243e-1 / s))
      + 4.0111992915527355e-1 / (p + q * EXP(-7.2945454950317050e-1 / s))
      + 2.1806828761180942e-1 / (p + q * EXP(-1.8083429017403160 / s))
      + 6.2087456098677747e-2 / (p + q * EXP(-3.4014336978548995 / s))
      + 9.5015169751811006e-3 / (p + q * EXP(-5.5524961400638036 / s))
      + 7.5300838858753878e-4 / (p + q * EXP(-8.3301527467644967 / s))
      + 2.8259233495995656e-5 / (p + q * EXP(-1.1843785837900066e1 / s))
      + 4.2493139849626864e-7 / (p + q * EXP(-1.6279257831378102e1 / s))
      + 1.8395648239796308e-9 / (p + q * EXP(-2.1996585811980762e1 / s))
      + 9.9118272196090086e-13 / (p + q * EXP(-2.9920697012273892e1 / s))
    )
  END AS risk
FROM (
  SELECT
    __kept__,
    s,
    CASE WHEN w > s THEN s / w ELSE 1 END AS p,
    CASE WHEN w > s THEN (w - s) / w ELSE 0 END AS q,
    CASE WHEN w > s THEN s / (w - s) ELSE 0 END AS odds
  FROM (SELECT __kept__, CAST(weighted AS DOUBLE) AS s, weight AS w FROM classes WHERE weighted > 0) AS class
) AS shares
