"""The measures of sensitive columns, k-map and delta-presence, slowly and by their definitions.

``counts`` are a class's records (people) by sensitive value, ``table`` those of all classes; None is the missing value.
Everything is exact but for logarithms. The engines compute the same; this is what they are compared with.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Counts = Mapping[Hashable, int]
Key = tuple
Row = Mapping[str, object]

TOLERANCE = 1e-9
NAN = float("nan")
MEASURES = (
    "l_distinct",
    "l_entropy",
    "recursive_c",
    "alpha",
    "t_closeness",
    "basic_beta",
    "enhanced_beta",
    "delta_disclosure",
    "delta_disclosure_present_only",
)
# Of these the smallest is the worst; of the others the largest.
SMALLEST = ("l_distinct", "l_entropy")


# The measures of one class.


def shares(counts: Counts) -> dict[Hashable, Fraction]:
    """Each value's share."""
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items() if count}


def l_distinct(counts: Counts) -> int:
    """The number of different values."""
    return len(shares(counts))


def l_entropy(counts: Counts) -> float:
    """exp of the entropy: as many equally frequent values would have the same."""
    return math.exp(-math.fsum(float(q) * math.log(q) for q in shares(counts).values()))


def recursive_c(counts: Counts, l: int) -> Fraction | float:  # noqa: E741 - its name in the literature
    """The c at which ``r_1 < c (r_l + r_(l+1) + ...)`` begins to hold; infinite when there are fewer than l values."""
    ranked = sorted(counts.values(), reverse=True)
    tail = sum(ranked[l - 1 :])
    return Fraction(ranked[0], tail) if tail else math.inf


def alpha(counts: Counts) -> Fraction:
    """The share of the most frequent value."""
    return max(shares(counts).values())


def ratios(counts: Counts, table: Counts) -> dict[Hashable, Fraction]:
    """q/p of each value of the table; 0 where the class lacks it."""
    q = shares(counts)
    return {value: q.get(value, Fraction(0)) / p for value, p in shares(table).items()}


def basic_beta(counts: Counts, table: Counts) -> Fraction:
    """The largest relative gain (q - p)/p."""
    return max(ratios(counts, table).values()) - 1


def enhanced_is_attainable(counts: Counts, table: Counts) -> bool:
    """Whether (q - p)/p <= -ln p for every value; only then is there a beta with (q - p)/p <= min(beta, -ln p)."""
    p = shares(table)
    return all(ratio - 1 <= -math.log(p[value]) for value, ratio in ratios(counts, table).items())


def delta_disclosure(counts: Counts, table: Counts) -> float:
    """The largest |ln(q/p)|; infinite when the class lacks a value of the table."""
    return max(abs(math.log(ratio)) if ratio else math.inf for ratio in ratios(counts, table).values())


def delta_disclosure_present_only(counts: Counts, table: Counts) -> float:
    """The largest |ln(q/p)| over the values that the class has."""
    return max(abs(math.log(ratio)) for ratio in ratios(counts, table).values() if ratio)


def t_categorical(counts: Counts, table: Counts) -> Fraction:
    """The earth mover's distance where any two values are 1 apart: half of sum |q - p|."""
    q, p = shares(counts), shares(table)
    return sum(abs(q.get(value, 0) - p[value]) for value in p) / 2


def t_ordered(counts: Counts, table: Counts, order: Callable) -> Fraction:
    """The same where neighbours of m values are 1/(m-1) apart; ``order`` is a value's place in the order."""
    q, p = shares(counts), shares(table)
    moved, total = Fraction(0), Fraction(0)
    for value in sorted(p, key=order):
        moved += q.get(value, 0) - p[value]
        total += abs(moved)
    return total / (len(p) - 1) if len(p) > 1 else Fraction(0)


def t_hierarchical(counts: Counts, table: Counts, group: Callable) -> Fraction:
    """The same where two values of one group are 1/2 apart and others 1: the mean of that of values and of groups."""
    return (t_categorical(counts, table) + t_categorical(grouped(counts, group), grouped(table, group))) / 2


def grouped(counts: Counts, group: Callable) -> Counter:
    """Counts by the values' groups."""
    total: Counter = Counter()
    for value, count in counts.items():
        total[group(value)] += count
    return total


# How the values of a column are read and compared.


class NotConvertible(Exception):
    """A value that is no number, not in the order or not in the map."""


@dataclass(frozen=True)
class Column:
    """A sensitive column: ``kind`` is categorical, numeric, ordered or hierarchical; ``order`` lists the values from the
    lowest, ``groups`` is the map of a hierarchy and ``other`` the group of what it lacks."""

    name: str
    kind: str = "categorical"
    order: Sequence[str] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    other: str | None = None

    def read(self, value: object, unparseable: str = "error", suppressed: str | None = None) -> Hashable:
        """The value that is counted; None is the missing one, which the text ``suppressed`` stands for too."""
        if value is None or (suppressed is not None and value == suppressed):
            return None
        found = self._convert(value)
        if found is None and unparseable != "null":
            raise NotConvertible(self.name)
        return found

    def _convert(self, value: object) -> Hashable:
        if isinstance(value, float) and math.isnan(value):
            return None if self.kind in {"numeric", "ordered"} else NAN  # it has no place in an order
        if self.kind == "numeric" and isinstance(value, str):
            try:
                return Fraction(value)
            except ValueError:
                return None
        if self.kind == "ordered" and self.order:
            return value if str(value) in self.order else None
        if self.kind == "hierarchical" and str(value) not in self.groups and self.other is None:
            return None
        return value

    def t_closeness(self, counts: Counts, table: Counts) -> Fraction:
        """The distance that suits the column."""
        if self.kind == "hierarchical":
            return t_hierarchical(counts, table, self.group)
        return t_categorical(counts, table) if self.kind == "categorical" else t_ordered(counts, table, self.place)

    def place(self, value: Hashable) -> tuple:
        """Where a value stands in the order: the missing one first, texts by their bytes."""
        if value is None:
            return (0, 0)
        if self.order:
            return (1, self.order.index(str(value)))
        return (1, value.encode() if isinstance(value, str) else value)

    def group(self, value: Hashable) -> tuple:
        """A value's group; the missing one has its own."""
        return ("missing",) if value is None else ("group", self.groups.get(str(value), self.other))


# Which records stand together.


@dataclass(frozen=True)
class Group:
    """``records`` that are measured as one, ``size`` that match each of them, and the sensitive ``counts`` of these.

    Of a class, all are its records. Where missing values match anything, ``records`` are those of one key.
    """

    records: int
    size: int
    counts: Counter


@dataclass(frozen=True)
class Measured:
    """The rows that are measured, with their keys; how many were left out, and why."""

    kept: list[tuple[Key, Row]]
    suppressed: int = 0
    excluded: int = 0
    missing: int = 0


def select(
    rows: Sequence[Row],
    quasi_identifiers: Sequence[str],
    nulls: str = "value",
    suppressed: str | None = None,
    texts: Sequence[str] | None = None,
) -> Measured:
    """Leave out what is not measured; ``texts`` are the quasi-identifiers that are texts (all if None).

    Of a wholly suppressed record every text is the token and everything else is missing.
    """
    texts = quasi_identifiers if texts is None else texts
    kept, wholly, excluded, missing = [], 0, 0, 0
    for row in rows:
        nothing = [row[name] == suppressed if name in texts else row[name] is None for name in quasi_identifiers]
        if suppressed is not None and set(quasi_identifiers) & set(texts) and all(nothing):
            wholly += 1
            continue
        key = tuple(None if suppressed is not None and row[n] == suppressed else row[n] for n in quasi_identifiers)
        missing += None in key
        if nulls == "exclude" and None in key:
            excluded += 1
        else:
            kept.append((key, row))
    return Measured(kept, wholly, excluded, missing)


def match(one: Key, other: Key) -> bool:
    """Whether two records match where a missing value matches anything."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def match_sizes(keys: Sequence[Key], among: Sequence[Key] | None = None) -> list[int]:
    """How many of ``among`` (the keys themselves if None) match each key."""
    counts = Counter(keys if among is None else among)
    sizes = {key: sum(count for other, count in counts.items() if match(key, other)) for key in set(keys)}
    return [sizes[key] for key in keys]


def people_keys(kept: Sequence[tuple[Key, Row]], entity: str) -> dict[Hashable, Key]:
    """Each person's key: the multiset of their rows' keys."""
    rows = defaultdict(list)
    for key, row in kept:
        rows[row[entity]].append(key)
    return {person: tuple(sorted(keys, key=repr)) for person, keys in rows.items()}


def groups_of_records(kept: Sequence[tuple[Key, Row]], value_of: Callable[[Row], Hashable]) -> list[Group]:
    """The classes of equal keys; ``value_of`` gives the sensitive value of a row."""
    classes = defaultdict(Counter)
    for key, row in kept:
        classes[key][value_of(row)] += 1
    return [Group(counts.total(), counts.total(), counts) for counts in classes.values()]


def groups_of_people(kept: Sequence[tuple[Key, Row]], value_of: Callable[[Row], Hashable], entity: str) -> list[Group]:
    """The classes of people with equal rows; a person with two values counts in both."""
    keys = people_keys(kept, entity)
    pairs = {(row[entity], value_of(row)) for _, row in kept}
    sizes = Counter(keys.values())
    counts = defaultdict(Counter)
    for person, value in pairs:
        counts[keys[person]][value] += 1
    return [Group(size, size, counts[key]) for key, size in sizes.items()]


def groups_of_matches(kept: Sequence[tuple[Key, Row]], value_of: Callable[[Row], Hashable]) -> list[Group]:
    """The records of equal keys, each with those that match it."""
    classes = defaultdict(Counter)
    for key, row in kept:
        classes[key][value_of(row)] += 1
    around = {}
    for key in classes:
        around[key] = Counter()
        for other, counts in classes.items():
            if match(key, other):
                around[key].update(counts)
    return [Group(counts.total(), around[key].total(), around[key]) for key, counts in classes.items()]


# Everything about one column.


@dataclass(frozen=True)
class Figures:
    """What is said of one sensitive column, under the names of ``sqlrisk.result.SensitiveColumn``."""

    values: int
    missing: int
    without_value: int
    l_distinct: int | None
    l_entropy: float | None
    recursive_c: float | None
    recursive_l: int
    alpha: float | None
    t_closeness: float | None
    basic_beta: float | None
    enhanced_beta: float | None
    delta_disclosure: float | None
    delta_disclosure_present_only: float | None
    l_histogram: list[tuple[int, int | None, int]]
    below_l: int
    classes_below_l: int | None
    records_below_l: int | None
    beyond: dict[str, tuple[int | None, int]]


def measure(
    rows: Sequence[Row],
    quasi_identifiers: Sequence[str],
    sensitive: Column,
    *,
    nulls: str = "value",
    sensitive_nulls: str = "value",
    suppressed: str | None = None,
    texts: Sequence[str] | None = None,
    unparseable: str = "error",
    entity: str | None = None,
    recursive_l: int = 2,
    limits: Mapping[str, float] | None = None,
) -> Figures:
    """Every measure of one sensitive column; ``limits`` are by measure. The column must have a value to be measured."""
    kept = select(rows, quasi_identifiers, nulls, suppressed, texts).kept

    def value_of(row: Row) -> Hashable:
        return sensitive.read(row[sensitive.name], unparseable, suppressed)

    if entity is not None:
        groups = every = groups_of_people(kept, value_of, entity)
    else:
        groups = every = groups_of_records(kept, value_of)
    if nulls == "wildcard":
        groups = groups_of_matches(kept, value_of)
    table = sum((group.counts for group in every), Counter())
    return summarise(
        groups,
        table,
        sensitive,
        sensitive_nulls=sensitive_nulls,
        recursive_l=recursive_l,
        limits=limits,
        classes=nulls != "wildcard",
    )


def summarise(
    groups: Sequence[Group],
    table: Counts,
    column: Column,
    *,
    sensitive_nulls: str = "value",
    recursive_l: int = 2,
    limits: Mapping[str, float] | None = None,
    classes: bool = True,
) -> Figures:
    """The worst of each measure over the groups; ``classes`` says whether a group is a class or a single record."""
    limits = limits or {}
    known = _known(table, sensitive_nulls)
    left = [(group, _known(group.counts, sensitive_nulls)) for group in groups]
    valued = [(group, counts) for group, counts in left if counts]
    found = [(group, of_class(counts, known, column, recursive_l)) for group, counts in valued]
    worst = {
        name: (min if name in SMALLEST else max)(measures[name] for _, measures in found) if found else None
        for name in MEASURES
    }
    if not all(enhanced_is_attainable(counts, known) for _, counts in valued):
        worst["enhanced_beta"] = None
    below_l = limits.get("l_distinct", 2)
    by_l: dict[int, list[Group]] = defaultdict(list)
    for group, measures in found:
        by_l[measures["l_distinct"]].append(group)
    low = [group for l, own in by_l.items() if l < below_l for group in own]  # noqa: E741
    return Figures(
        values=len(known),
        missing=table.get(None, 0),
        without_value=sum(group.records for group, counts in left if not counts),
        **{name: value if name == "l_distinct" or value is None else float(value) for name, value in worst.items()},
        recursive_l=recursive_l,
        l_histogram=[(l, *_number(own, classes)) for l, own in sorted(by_l.items())],  # noqa: E741
        below_l=below_l,
        classes_below_l=_number(low, classes)[0] if found else None,
        records_below_l=_number(low, classes)[1] if found else None,
        beyond={
            name: _number([group for group, measures in found if is_beyond(name, measures[name], bound)], classes)
            for name, bound in limits.items()
            if found
        },
    )


def of_class(counts: Counts, table: Counts, column: Column, recursive_l: int = 2) -> dict[str, Fraction | float | int]:
    """Every measure of one class."""
    beta = basic_beta(counts, table)
    return {
        "l_distinct": l_distinct(counts),
        "l_entropy": l_entropy(counts),
        "recursive_c": recursive_c(counts, recursive_l),
        "alpha": alpha(counts),
        "t_closeness": column.t_closeness(counts, table),
        "basic_beta": beta,
        "enhanced_beta": beta,
        "delta_disclosure": delta_disclosure(counts, table),
        "delta_disclosure_present_only": delta_disclosure_present_only(counts, table),
    }


def is_beyond(measure: str, value: float, bound: float) -> bool:
    """Whether a value is beyond a limit: recursive c is a strict bound."""
    if measure in SMALLEST:
        return value < bound - TOLERANCE
    return value > bound - TOLERANCE if measure == "recursive_c" else value > bound + TOLERANCE


def _known(counts: Counts, sensitive_nulls: str) -> Counter:
    return Counter(
        {value: n for value, n in counts.items() if n and not (value is None and sensitive_nulls == "ignore")}
    )


def _number(groups: Sequence[Group], classes: bool) -> tuple[int | None, int]:
    return len(groups) if classes else None, sum(group.records for group in groups)


# The population.


@dataclass(frozen=True)
class Unit:
    """``records`` (people) of the release with ``s`` matches there and ``f`` in the population, as it has them."""

    records: int
    s: int
    f: int

    @property
    def corrected(self) -> int:
        """F, which is no less than s."""
        return max(self.s, self.f)


@dataclass(frozen=True)
class Population:
    """The release's classes (or records), the s/F of the population's other ones, and the population's size."""

    units: list[Unit]
    elsewhere: list[Fraction]
    size: int

    @property
    def k_map(self) -> tuple[int, list[tuple[int, int, int]]]:
        """The least F, and the records by F: 1, 2 to 3, 4 to 7, ..."""
        buckets: Counter = Counter()
        for unit in self.units:
            buckets[unit.corrected.bit_length()] += unit.records
        spans = [(2 ** (bits - 1), 2**bits - 1, buckets[bits]) for bits in range(min(buckets), max(buckets) + 1)]
        return min(unit.corrected for unit in self.units), spans

    @property
    def delta_presence(self) -> tuple[float, float, list[tuple[float, float, int]]]:
        """The least and the greatest s/F, and the records by it: from 0, from .1, ..., and those at 1."""
        deltas = [Fraction(unit.s, unit.corrected) for unit in self.units]
        tenths: Counter = Counter()
        for unit, delta in zip(self.units, deltas, strict=True):
            tenths[int(10 * delta)] += unit.records
        spans = [(step / 10, min((step + 1) / 10, 1.0), tenths[step]) for step in range(11)]
        return float(min(deltas + self.elsewhere)), float(max(deltas)), spans


def compare(
    rows: Sequence[Row],
    register: Sequence[Row],
    quasi_identifiers: Sequence[str],
    *,
    nulls: str = "value",
    suppressed: str | None = None,
    texts: Sequence[str] | None = None,
    entity: str | None = None,
    distinct: bool = False,
    register_entity: str | None = None,
) -> Population:
    """The release's records (or people: by the multiset of their rows, or ``distinct`` tuples) against a register."""
    ours = select(rows, quasi_identifiers, nulls, suppressed, texts).kept
    theirs = select(register, quasi_identifiers, nulls, suppressed, texts).kept
    if nulls == "wildcard":
        return _by_matches(ours, theirs, register_entity)
    if entity is None:
        release, population = Counter(key for key, _ in ours), _tuple_sizes(theirs, register_entity)
    elif not distinct:
        release = Counter(people_keys(ours, entity).values())
        population = Counter(people_keys(theirs, register_entity).values())
    else:
        return _by_people(ours, theirs, entity, register_entity)
    units = [Unit(size, size, population[key]) for key, size in release.items()]
    return Population(units, [Fraction(0)] * len(set(population) - set(release)), _people(theirs, register_entity))


def _people(kept: Sequence[tuple[Key, Row]], entity: str | None) -> int:
    """The records, or the different people."""
    return len(kept) if entity is None else len({row[entity] for _, row in kept})


def _tuple_sizes(kept: Sequence[tuple[Key, Row]], entity: str | None) -> Counter:
    """Each key's records, or its different people."""
    if entity is None:
        return Counter(key for key, _ in kept)
    return Counter(key for key, _ in {(key, row[entity]) for key, row in kept})


def _by_matches(ours, theirs, register_entity) -> Population:
    """Each record with those that match it in either table."""
    our_keys, their_keys = [key for key, _ in ours], list({key: None for key, _ in theirs})

    def people(key: Key) -> int:
        return _people([(other, row) for other, row in theirs if match(key, other)], register_entity)

    units = [Unit(1, s, people(key)) for key, s in zip(our_keys, match_sizes(our_keys), strict=True)]
    others = [Unit(0, s, people(key)) for key, s in zip(their_keys, match_sizes(their_keys, our_keys), strict=True)]
    return Population(units, [Fraction(unit.s, unit.corrected) for unit in others], _people(theirs, register_entity))


def _by_people(ours, theirs, entity, register_entity) -> Population:
    """Each person with the smallest s and the smallest F over their tuples."""
    release, population = _tuple_sizes(ours, entity), _tuple_sizes(theirs, register_entity)
    least: dict = {}
    for key, row in ours:
        s, f = least.get(row[entity], (math.inf, math.inf))
        least[row[entity]] = min(s, release[key]), min(f, max(release[key], population[key]))
    return Population([Unit(1, s, f) for s, f in least.values()], [], _people(theirs, register_entity))


# Figures of a result against these.


def differences(found: object, expected: Figures) -> dict[str, tuple[object, object]]:
    """Where a column of a result differs from what is expected: (found, expected) by name; reals to 1e-9."""
    wrong = {}
    for name, value in vars(expected).items():
        other = getattr(found, name)
        if name == "beyond":
            other = {measure: (mismatch.classes, mismatch.records) for measure, mismatch in other.items()}
        elif name == "l_histogram":
            other = [tuple(row) for row in other]
        if not same(other, value):
            wrong[name] = (other, value)
    return wrong


def same(one: object, other: object) -> bool:
    """Reals to 1e-9, everything else exactly."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other
