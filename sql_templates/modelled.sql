-- The classes with how frequent each is in the population, by the tables of its model so far.
-- Slots:
--   __columns__            the columns of the classes to keep
--   __frequency__          the frequency by this table, times that by those before it; 0 for what a table lacks
--   __quasi_identifiers__  qi_N, those that the table has, coded
-- Columns: those kept, and frequency.
SELECT
  __columns__,
  __frequency__ AS frequency
FROM classes
LEFT JOIN model_sums
  USING (__quasi_identifiers__)
