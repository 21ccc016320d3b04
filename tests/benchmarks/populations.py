"""Populations of which the truth is known: simulated ones, and real tables where the oracles are present.

A population is the sizes of its classes. Every simulated one has a seed of its own, so it is the same in every run.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from tests.oracles.conftest import find_folder

ORACLES = (find_folder() or Path("no-oracles")) / "data"

Maker = Callable[[np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Population:
    """``sizes``: F of every class, in people. ``truth`` is S_1."""

    name: str
    family: str
    sizes: np.ndarray

    @property
    def people(self) -> int:
        return int(self.sizes.sum())

    @property
    def truth(self) -> int:
        return int((self.sizes == 1).sum())

    def draw(self, fraction: float, generator: np.random.Generator) -> list[tuple[int, int]]:
        """The class sizes of a simple random sample without replacement: (size, classes), ascending."""
        n = round(fraction * self.people)
        drawn = generator.multivariate_hypergeometric(self.sizes, n, method="marginals")
        sizes, counts = np.unique(drawn[drawn > 0], return_counts=True)
        return list(zip(sizes.tolist(), counts.tolist(), strict=True))


def names(real: bool) -> list[str]:
    """Every population's name: the simulated ones, or the real tables that are here."""
    if real:
        return [name for name, (file, *_) in _TABLES.items() if (ORACLES / file).exists()]
    return list(_SIMULATED)


def load(name: str) -> Population:
    """The population called ``name``."""
    if name in _TABLES:
        return Population(name, "real", _of_table(*_TABLES[name]))
    family, maker = _SIMULATED[name]
    sizes = maker(np.random.default_rng(zlib.crc32(name.encode())))
    return Population(name, family, sizes[sizes > 0].astype(np.int64))


# Tables of columns


def _classes(columns: Sequence[np.ndarray]) -> np.ndarray:
    """The class sizes of integer columns."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        _, coded = np.unique(column, return_inverse=True)
        key = key * (int(coded.max()) + 1) + coded
        _, key = np.unique(key, return_inverse=True)
    return np.bincount(key)


def _marginal(law: str, levels: int, generator: np.random.Generator) -> np.ndarray:
    if law == "uniform":
        weight = np.ones(levels)
    elif law.startswith("zipf"):
        weight = np.arange(1.0, levels + 1) ** -float(law[4:])
    elif law.startswith("lognormal"):
        weight = np.exp(float(law[9:]) * generator.standard_normal(levels))
    else:
        weight = generator.dirichlet(np.full(levels, float(law[9:]))) + 1e-12
    return weight / weight.sum()


def _independent(people: int, levels: Sequence[int], law: str, generator: np.random.Generator) -> np.ndarray:
    return _classes([generator.choice(many, people, p=_marginal(law, many, generator)) for many in levels])


def _latent(people: int, levels: Sequence[int], groups: int, law: str, generator: np.random.Generator) -> np.ndarray:
    """A mixture of groups; within a group the columns are independent."""
    group = generator.choice(groups, people, p=_marginal("zipf0.7", groups, generator))
    columns = [np.empty(people, dtype=np.int64) for _ in levels]
    for one in range(groups):
        members = np.flatnonzero(group == one)
        for column, many in zip(columns, levels, strict=True):
            column[members] = generator.choice(many, members.size, p=_marginal(law, many, generator))
    return _classes(columns)


def _markov(people: int, levels: Sequence[int], law: str, generator: np.random.Generator) -> np.ndarray:
    """A chain of columns: each depends on the one before."""
    columns = [generator.choice(levels[0], people, p=_marginal("zipf0.5", levels[0], generator))]
    for many in levels[1:]:
        before, after = columns[-1], np.empty(people, dtype=np.int64)
        for value in range(int(before.max()) + 1):
            members = np.flatnonzero(before == value)
            after[members] = generator.choice(many, members.size, p=_marginal(law, many, generator))
        columns.append(after)
    return _classes(columns)


def _copula(people: int, levels: Sequence[int], loading: float, generator: np.random.Generator) -> np.ndarray:
    """Ordinals of a one-factor Gaussian copula, cut at random quantiles."""
    factor = generator.standard_normal(people)
    columns = []
    for many in levels:
        latent = loading * factor + np.sqrt(1 - loading**2) * generator.standard_normal(people)
        cuts = np.sort(generator.normal(0, 1.2, many - 1))
        columns.append(np.searchsorted(cuts, latent))
    return _classes(columns)


def _sparse_binary(people: int, columns: int, prevalence: float, generator: np.random.Generator) -> np.ndarray:
    """Diagnoses: many rare yes/no columns that come together in the sick."""
    frailty = generator.gamma(0.7, 1 / 0.7, people)
    rates = prevalence * np.arange(1.0, columns + 1) ** -0.8
    return _classes([generator.random(people) < -np.expm1(-rate * frailty) for rate in rates])


def _census(people: int, quasi: str, areas: int, generator: np.random.Generator) -> np.ndarray:
    """Households in areas: the adults' ages, education and occupations go together, the children's follow."""
    households = int(people / 2.2)
    area_of = generator.choice(areas, households, p=_marginal("lognormal1", areas, generator))
    wealth = generator.normal(0, 1, areas)[area_of] * 0.6 + generator.normal(0, 0.8, households)
    kind = generator.choice(4, households, p=[0.32, 0.3, 0.28, 0.1])  # single, couple, family, lone parent
    head_age = np.where(kind <= 1, generator.normal(55, 20, households), generator.normal(40, 9, households))
    children = np.where(kind >= 2, generator.integers(1, 4, households), 0)
    adults = np.where((kind == 1) | (kind == 2), 2, 1)
    house = np.repeat(np.arange(households), adults + children)
    position = np.arange(house.size) - np.repeat(np.cumsum(adults + children) - adults - children, adults + children)
    child = position >= adults[house]
    age = head_age[house] + np.where(position == 1, generator.normal(-2, 4, house.size), 0)
    age = np.where(child, np.clip(head_age[house] - 24 - generator.gamma(3, 3, house.size), 0, 22), age)
    age = np.clip(age, np.where(child, 0, 18), 98).astype(int)
    sex = np.where(child, generator.random(house.size) < 0.5, (position + (house % 2)) % 2).astype(int)
    score = 0.7 * wealth[house] + generator.normal(0, 0.8, house.size)
    education = np.where(age < 16, 0, 1 + np.digitize(score - 0.02 * (age - 40), [-1.5, -0.7, 0, 0.5, 1.1, 1.8]))
    jobs = generator.permutation(300)
    job = np.minimum(generator.geometric(0.02, house.size) + 25 * education + 7 * sex, 299)
    occupation = np.where((age < 18) | (age > 67), -1, jobs[job])
    country = np.where(
        generator.random(house.size) < 0.88,
        0,
        1 + generator.choice(60, house.size, p=_marginal("zipf1", 60, generator)),
    )
    size = (adults + children)[house]
    columns = {
        "age": age,
        "age5": age // 5,
        "age10": age // 10,
        "sex": sex,
        "area": area_of[house],
        "district": area_of[house] // 20,
        "education": education,
        "occupation": occupation,
        "group": occupation // 30,
        "country": country,
        "size": size,
    }
    chosen = generator.permutation(house.size)[:people]
    return _classes([columns[name][chosen] for name in quasi.split()])


def _trips(people: int, places: int, points: int, generator: np.random.Generator) -> np.ndarray:
    """Some points of a person's movements: home, then places near it by a distance law."""
    home = generator.choice(places, people, p=_marginal("lognormal1.2", places, generator))
    columns = [home]
    for _ in range(points):
        distance = np.round(generator.pareto(1.1, people)).astype(np.int64)
        away = generator.choice([-1, 1], people) * distance
        columns.append((home + away) % places)
    return _classes(columns)


# Laws of the class sizes


def _multinomial(people: int, weight: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return generator.multinomial(people, weight / weight.sum())


def _zipf_ranks(people: int, classes: int, exponent: float, generator: np.random.Generator) -> np.ndarray:
    return _multinomial(people, np.arange(1.0, classes + 1) ** -exponent, generator)


def _zipf_sizes(people: int, exponent: float, generator: np.random.Generator) -> np.ndarray:
    """Class sizes with P(F = k) as k^-exponent, until there are ``people``."""
    sizes = np.minimum(generator.zipf(exponent, people), people // 20)
    return sizes[: np.searchsorted(np.cumsum(sizes), people) + 1]


def _gamma(people: int, parts: Sequence[tuple[float, float, float]], generator: np.random.Generator) -> np.ndarray:
    """Poisson sizes whose means are a mixture of gammas: (share of the classes, shape, mean)."""
    share, shape, mean = np.array(parts).T
    classes = int(people / (share @ mean))
    part = generator.choice(len(parts), classes, p=share)
    return generator.poisson(generator.gamma(shape[part], mean[part] / shape[part]))


def _lognormal(people: int, location: float, scale: float, generator: np.random.Generator) -> np.ndarray:
    classes = int(people / np.exp(location + scale**2 / 2))
    return generator.poisson(generator.lognormal(location, scale, classes))


def _uniform(people: int, most: int, generator: np.random.Generator) -> np.ndarray:
    return generator.integers(1, most + 1, 2 * people // (most + 1))


def _inverse_gaussian(people: int, mean: float, shape: float, generator: np.random.Generator) -> np.ndarray:
    return generator.poisson(generator.wald(mean, shape, int(people / mean)))


def _pitman_yor(people: int, theta: float, alpha: float, generator: np.random.Generator) -> np.ndarray:
    """The Chinese restaurant: a newcomer joins an earlier person's class, or, where that is its founder, not always."""
    new = generator.random(people).tolist()
    keep = generator.random(people).tolist()
    tickets = generator.random(people).tolist()
    label = [0] * people
    founder = [True] + [False] * (people - 1)
    classes = 1
    for i in range(1, people):
        if new[i] * (theta + i) < theta + classes * alpha:
            label[i], founder[i] = classes, True
            classes += 1
            continue
        earlier, chance = int(tickets[i] * i), keep[i]
        while founder[earlier] and chance < alpha:
            earlier, chance = int(generator.random() * i), generator.random()
        label[i] = label[earlier]
    return np.bincount(label)


_SIMULATED: dict[str, tuple[str, Maker]] = {
    # independent columns
    "independent uniform 40k cells": ("independent", partial(_independent, 100_000, (2, 80, 50, 5), "uniform")),
    "independent uniform birth dates": ("independent", partial(_independent, 1_000_000, (2, 36_500, 50), "uniform")),
    "independent zipf": ("independent", partial(_independent, 200_000, (2, 100, 200, 16, 40), "zipf1")),
    "independent steep zipf": ("independent", partial(_independent, 20_000, (50, 50, 50), "zipf1.5")),
    "independent lognormal": ("independent", partial(_independent, 50_000, (2, 90, 300, 10), "lognormal0.8")),
    "independent wide lognormal": ("independent", partial(_independent, 300_000, (20,) * 5, "lognormal1.5")),
    "independent few cells": ("independent", partial(_independent, 200_000, (2, 20, 100), "lognormal1")),
    "independent mild zipf": ("independent", partial(_independent, 500_000, (2, 90, 60, 8), "zipf0.7")),
    "independent dirichlet": ("independent", partial(_independent, 150_000, (3, 60, 80, 30), "dirichlet0.5")),
    # dependent columns
    "latent 20 groups": ("dependent", partial(_latent, 100_000, (2, 80, 30, 10, 15), 20, "dirichlet0.3")),
    "latent 5 groups": ("dependent", partial(_latent, 500_000, (2, 90, 100, 16), 5, "dirichlet0.5")),
    "latent 60 sharp groups": ("dependent", partial(_latent, 60_000, (2, 90, 40, 12, 8), 60, "dirichlet0.1")),
    "latent few cells": ("dependent", partial(_latent, 200_000, (2, 10, 8, 12), 8, "dirichlet0.5")),
    "markov sharp": ("dependent", partial(_markov, 100_000, (20, 60, 60, 2), "dirichlet0.1")),
    "markov long": ("dependent", partial(_markov, 30_000, (10,) * 6, "dirichlet0.3")),
    "markov zipf": ("dependent", partial(_markov, 300_000, (50, 50, 50, 4), "lognormal1.5")),
    "copula five ordinals": ("dependent", partial(_copula, 100_000, (5, 10, 20, 50, 80), 0.6)),
    "copula eight ordinals": ("dependent", partial(_copula, 400_000, (7,) * 8, 0.7)),
    "copula strong": ("dependent", partial(_copula, 40_000, (12, 12, 30, 60), 0.9)),
    "copula few cells": ("dependent", partial(_copula, 250_000, (5, 8, 30), 0.5)),
    "diagnoses": ("dependent", partial(_sparse_binary, 100_000, 40, 0.12)),
    "diagnoses rare": ("dependent", partial(_sparse_binary, 500_000, 60, 0.03)),
    "trips two points": ("dependent", partial(_trips, 200_000, 500, 2)),
    "trips three points": ("dependent", partial(_trips, 100_000, 2_000, 3)),
    # laws of the class sizes
    "zipf ranks 0.8": ("law", partial(_zipf_ranks, 100_000, 100_000, 0.8)),
    "zipf ranks 1.2": ("law", partial(_zipf_ranks, 500_000, 1_000_000, 1.2)),
    "zipf ranks 1.6": ("law", partial(_zipf_ranks, 200_000, 1_000_000, 1.6)),
    "zipf sizes 2.2": ("law", partial(_zipf_sizes, 200_000, 2.2)),
    "zipf sizes 1.7": ("law", partial(_zipf_sizes, 100_000, 1.7)),
    "gamma 0.1": ("law", partial(_gamma, 100_000, [(1.0, 0.1, 2.0)])),
    "gamma 0.5": ("law", partial(_gamma, 100_000, [(1.0, 0.5, 10.0)])),
    "gamma 2": ("law", partial(_gamma, 50_000, [(1.0, 2.0, 5.0)])),
    "gamma two": ("law", partial(_gamma, 200_000, [(0.8, 1.0, 1.0), (0.2, 1.0, 50.0)])),
    "gamma three": ("law", partial(_gamma, 1_000_000, [(0.5, 0.3, 3.0), (0.3, 1.0, 30.0), (0.2, 2.0, 500.0)])),
    "gamma few uniques": ("law", partial(_gamma, 300_000, [(1.0, 1.0, 60.0)])),
    "uniform to 20": ("law", partial(_uniform, 50_000, 20)),
    "uniform to 300": ("law", partial(_uniform, 300_000, 300)),
    "no uniques": ("law", lambda generator: generator.integers(5, 200, 1_000)),
    "lognormal 0, 1.5": ("law", partial(_lognormal, 100_000, 0.0, 1.5)),
    "lognormal 2, 2": ("law", partial(_lognormal, 500_000, 2.0, 2.0)),
    "lognormal 4, 1": ("law", partial(_lognormal, 200_000, 4.0, 1.0)),
    "inverse gaussian": ("law", partial(_inverse_gaussian, 150_000, 8.0, 1.0)),
    "pitman-yor 0.3": ("law", partial(_pitman_yor, 200_000, 1_000.0, 0.3)),
    "pitman-yor 0.5": ("law", partial(_pitman_yor, 100_000, 3_000.0, 0.5)),
    "pitman-yor 0.7": ("law", partial(_pitman_yor, 200_000, 100.0, 0.7)),
    "ewens 200": ("law", partial(_pitman_yor, 200_000, 200.0, 0.0)),
    "ewens 20000": ("law", partial(_pitman_yor, 100_000, 20_000.0, 0.0)),
    # census-like
    "census age sex area": ("census", partial(_census, 300_000, "age sex area", 300)),
    "census coarse": ("census", partial(_census, 200_000, "age10 sex district education", 200)),
    "census five": ("census", partial(_census, 200_000, "age sex area education occupation", 200)),
    "census five coarse": ("census", partial(_census, 500_000, "age5 sex district education group", 400)),
    "census large": ("census", partial(_census, 1_000_000, "age sex district education group", 2_000)),
    "census country": ("census", partial(_census, 100_000, "age5 sex country size area", 60)),
    "census occupation": ("census", partial(_census, 50_000, "age sex occupation country", 100)),
    "census household": ("census", partial(_census, 20_000, "age10 sex size education group district", 100)),
}


# Real tables: file, columns (a number after / rounds it down to multiples)

_ADULT, _EUSILC, _FREE, _TEST = "adult_48842.csv", "eusilc.csv", "free1.csv", "testdata.csv"

_TABLES: dict[str, tuple[str, str]] = {
    "adult demographic": (_ADULT, "age sex race native_country"),
    "adult seven": (_ADULT, "age sex race marital_status education native_country workclass"),
    "adult nine": (_ADULT, "sex age race marital_status education native_country workclass occupation income"),
    "adult coarse": (_ADULT, "age/10 sex race education marital_status"),
    "adult work": (_ADULT, "age occupation workclass hours_per_week"),
    "adult family": (_ADULT, "age/5 sex relationship marital_status race income"),
    "adult hours": (_ADULT, "age sex education hours_per_week race"),
    "adult gains": (_ADULT, "age/5 capital_gain capital_loss sex"),
    "eusilc person": (_EUSILC, "db040 hsize age rb090 pb220a"),
    "eusilc coarse": (_EUSILC, "db040 hsize age/10 rb090 pl030"),
    "eusilc full": (_EUSILC, "db040 hsize age rb090 pl030 pb220a"),
    "eusilc income": (_EUSILC, "db040 age/5 rb090 eqIncome/2000"),
    "testdata": (_TEST, "urbrur water sex age relat"),
    "testdata seven": (_TEST, "urbrur roof walls water electcon relat sex"),
    "free1": (_FREE, "REGION SEX AGE MARSTAT"),
    "free1 work": (_FREE, "SEX AGE/5 EDUC1 PRIOCCU POSLABM"),
    "airline": (
        "airline_passenger_sat_k5.csv",
        "Gender Age Class Inflight+service Cleanliness Online+boarding satisfaction",
    ),
    "arx example": ("arx_example.csv", "sex age race marital-status education"),
}


def _of_table(file: str, quasi: str) -> np.ndarray:
    import pandas

    frame = pandas.read_csv(ORACLES / file, sep=None, engine="python")
    columns = []
    for item in quasi.split():
        name, _, width = item.replace("+", " ").partition("/")
        column = frame[name]
        columns.append(
            pandas.factorize(column // float(width) if width else column.astype(str), use_na_sentinel=False)[0]
        )
    return _classes(columns)
