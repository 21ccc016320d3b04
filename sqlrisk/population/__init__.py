"""How many of the release's records are unique in a population whose counts are not known, and the risk that follows.

A release is taken as a simple random sample of ``n`` records from ``N`` people. From its frequency of frequencies alone,
each module of :mod:`sqlrisk.population.estimators` fits one model; ``selection`` picks or pools them, ``intervals`` says how
far the histogram determines the answer, ``risks`` derives journalist and marketer risk from the fitted law.
"""
