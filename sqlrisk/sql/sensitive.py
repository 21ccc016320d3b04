"""Sensitive columns: compiled over the source, and the steps and arms that count their values in each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sensitive import Sensitive
from sqlrisk.sql.coding import unless
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.quasi_identifier import double_of, float_text_of, map_of, text_of
from sqlrisk.sql.relation import Column, Kind
from sqlrisk.sql.trees import case, integer, is_lost, is_null, named, of_source, string, sums_of
from sqlrisk.sql.wildcard import add_gap_members, add_matched_pairs

if TYPE_CHECKING:
    from sqlrisk.sql.job import Job

_TOLERANCE = 1e-9
"""Limits are compared with this tolerance, here as in the verdict."""

# The flags of class_measures.sql by which a measure is infinite.
_INFINITE = {"recursive_c": "unbounded", "delta_disclosure": "absent"}


@dataclass(frozen=True)
class SensitiveKey:
    """A sensitive column as SQL over the columns of ``source``: its value, NULL where it is missing, and its group.

    Where ``may_fail``, a value that is ``given`` and whose key is NULL did not convert.
    """

    column: str
    compared: Sensitive
    key: exp.Expression
    given: exp.Expression
    group: exp.Expression | None = None
    is_text: bool = False
    may_fail: bool = False

    @property
    def is_ordered(self) -> bool:
        """Whether its values have an order."""
        return self.compared.kind in {"numeric", "ordered"}

    @property
    def must_match(self) -> bool:
        """Whether a value that did not convert is one that the user's list or map lacks."""
        return bool(self.compared.order) or self.compared.mapping is not None


@dataclass(frozen=True)
class SensitiveQuestion:
    """What is asked of the sensitive columns: whether missing values count, the l of recursive (c,l)-diversity, and the
    limits by measure, for which classes beyond them are counted."""

    ignores_missing: bool = False
    recursive_l: int = 2
    limits: Mapping[str, Fraction] = field(default_factory=dict)


def sensitive_key(item: Sensitive, column: Column, dialect: Dialect, suppressed: str | None = None) -> SensitiveKey:
    """Compile ``item`` over ``column``; :class:`RequestError` where the column's type does not allow it."""
    if column.kind is Kind.UNGROUPABLE:
        raise RequestError(
            f"sensitive column `{column.name}` has the type {column.type_name}, which cannot be grouped",
            "use a part of it in --query, or leave it out",
        )
    given: exp.Expression = of_source(column.name)
    if suppressed is not None and column.kind in {Kind.TEXT, Kind.OTHER}:
        token = exp.EQ(this=text_of(given, column.kind), expression=string(suppressed))
        given = case([(token, exp.null())], given)
    may_fail, group, is_text = item.mapping is not None and item.mapping.other is None, None, False
    if item.kind == "numeric":
        if not (column.kind.is_number or column.kind is Kind.TEXT):
            raise RequestError(
                f"sensitive column `{column.name}` ({column.type_name}): numeric needs numbers", "write `ordered`"
            )
        key = _number(given, column, dialect)
        may_fail = column.kind in {Kind.TEXT, Kind.FLOAT}
    elif item.order:
        text = text_of(given, column.kind)
        key = case(
            [
                (exp.EQ(this=text.copy(), expression=string(value)), integer(rank))
                for rank, value in enumerate(item.order, start=1)
            ]
        )
        may_fail = True
    else:
        key, is_text = _value(given, column, item.kind == "ordered", dialect)
        may_fail = may_fail or (item.kind == "ordered" and column.kind is Kind.FLOAT)
    if item.mapping is not None:
        group = map_of(item.mapping, given, column, dialect)
        key = case([(is_null(group.copy()), exp.null())], key)
    return SensitiveKey(column.name, item, key, given, group, is_text, may_fail)


def _number(given: exp.Expression, column: Column, dialect: Dialect) -> exp.Expression:
    if column.kind is Kind.TEXT:
        return double_of(column, dialect, given)
    return _ordered_float(given) if column.kind is Kind.FLOAT else given.copy()


def _value(given: exp.Expression, column: Column, ordered: bool, dialect: Dialect) -> tuple[exp.Expression, bool]:
    if column.kind is Kind.FLOAT and ordered:
        return _ordered_float(given), False
    if column.kind is Kind.FLOAT and not dialect.partitions_by_float:
        return float_text_of(given), False
    return given.copy(), column.kind is Kind.TEXT


def _ordered_float(given: exp.Expression) -> exp.Expression:
    """The number; NULL for NaN, which has no place in the order (it compares otherwise on each engine)."""
    number = exp.cast(given.copy(), "double")
    infinity = exp.cast(string("Infinity"), "double")
    return case([(exp.LTE(this=number.copy(), expression=infinity), number)])


class SensitiveSteps:
    """The steps and arms of each sensitive column, over rows that have the number of their class and coded values."""

    def __init__(self, job: Job) -> None:
        self.job, self.asked = job, job.question.sensitive
        self.keys = job.question.release.sensitive

    def arms_of_records(self, numbered: str, number: exp.Expression) -> list[exp.Query]:
        """The arms over records; ``number`` is that of a row's class in the step ``numbered``."""
        values = [named(name) for name in columns_of(self.keys)]
        left_out = self.job.coded_policy.row_left_out
        slots = {"class": [unless(left_out, number)], "values": values}
        self.job.chain.add("sensitive_rows", "sensitive_rows", slots, reads={"numbered": numbered})
        spreads = [spread for number in self._numbers for spread in self._spreads(number)]
        counted = exp.Count(this=exp.Star())
        self.job.chain.add("sensitive_classes", "sensitive_classes", {"records": [counted], "spreads": spreads})
        return [
            arm
            for number in self._numbers
            for arm in self._arms(
                number, {"sensitive_rows": "sensitive_rows", "sensitive_classes": "sensitive_classes"}
            )
        ]

    def arms_of_matches(self, rows: str) -> list[exp.Query]:
        """The arms over records where a missing value matches anything; ``rows`` have the number of their class."""
        chain = self.job.chain
        values = [named(name) for name in columns_of(self.keys)]
        slots = {"class": [unless(self.job.coded_policy.row_left_out, named("class"))], "values": values}
        chain.add("sensitive_rows", "sensitive_rows", slots, reads={"numbered": rows})
        add_gap_members(self.job)
        arms: list[exp.Query] = []
        for number in self._numbers:
            own, matched = add_matched_pairs(self.job, number, self._present(number))
            chain.add(f"sensitive_totals_{number}", "sensitive_totals", {}, reads={"sensitive_pairs": own})
            arms += self.measured(number, matched, "sensitive_rows")
        return arms

    def arms_of_people(self) -> list[exp.Query]:
        """The arms over people, by the multisets of their rows."""
        chain = self.job.chain
        chain.add("person_numbers", "person_numbers", {})
        chain.add("people_classes", "people_classes", {})
        arms: list[exp.Query] = []
        for number, key in zip(self._numbers, self.keys, strict=True):
            names = _names(number, key)
            slots = {"values": [named(name) for name in names]}
            reads = {"sensitive_rows": f"sensitive_rows_{number}", "sensitive_classes": f"sensitive_classes_{number}"}
            chain.add(reads["sensitive_rows"], "sensitive_rows_of_people", slots)
            counted = {"records": [exp.Max(this=named("in_class"))], "spreads": self._spreads(number)}
            chain.add(
                reads["sensitive_classes"],
                "sensitive_classes",
                counted,
                reads={"sensitive_rows": reads["sensitive_rows"]},
            )
            arms += self._arms(number, reads, "mixed_values_of_people")
        return arms

    @property
    def _numbers(self) -> range:
        return range(1, len(self.keys) + 1)

    def _present(self, number: int) -> exp.Expression:
        """The code of a value that counts, NULL otherwise."""
        code = named(f"s_{number}")
        return case([(exp.GT(this=code, expression=integer(0)), code)]) if self.asked.ignores_missing else code

    def _spreads(self, number: int) -> list[exp.Expression]:
        value = self._present(number)
        columns = (
            ("least", exp.Min(this=value.copy())),
            ("most", exp.Max(this=value.copy())),
            ("filled", exp.cast(exp.Count(this=value.copy()), "bigint")),
        )
        return [exp.alias_(tree, f"{name}_{number}", quoted=True) for name, tree in columns]

    def _arms(self, number: int, reads: dict[str, str], mixed: str = "mixed_values") -> list[exp.Query]:
        """The arms of one column, over the rows and classes that ``reads`` names; ``mixed`` counts the values of a class."""
        chain, value = self.job.chain, self._present(number)
        spread = {name: [named(f"{name}_{number}")] for name in ("least", "most", "filled")}
        chain.add(f"mixed_values_{number}", mixed, {**spread, "value": [value]}, reads=reads)
        pairs = f"sensitive_pairs_{number}"
        chain.add(pairs, "sensitive_pairs", spread, reads={**reads, "mixed_values": f"mixed_values_{number}"})
        chain.add(f"sensitive_totals_{number}", "sensitive_totals", {}, reads={"sensitive_pairs": pairs})
        return self.measured(number, pairs, reads["sensitive_rows"])

    def measured(self, number: int, pairs: str, rows: str) -> list[exp.Query]:
        """The arms of one column whose counts by class and value are the step ``pairs``, over the step ``rows``."""
        chain, key = self.job.chain, self.keys[number - 1]
        totals = {"sensitive_totals": f"sensitive_totals_{number}"}
        chain.add(f"sensitive_values_{number}", "sensitive_values", {}, reads=totals)
        reads = {"sensitive_pairs": pairs, "sensitive_values": f"sensitive_values_{number}", "sensitive_rows": rows}
        shares, distance = self._shares(number, key, reads)
        tail = self._tail(number, shares)
        measures = {"tail": [tail[1]], "t_closeness": [distance]}
        chain.add(f"class_measures_{number}", "class_measures", measures, reads={"shares": tail[0]})
        beyond = [*_beyond(self.asked.limits)]
        sums = sums_of([alias.alias for alias in beyond])
        by_l = {"measures_by_l": f"measures_by_l_{number}"}
        chain.add(
            by_l["measures_by_l"],
            "measures_by_l",
            {"beyond": beyond},
            reads={"class_measures": f"class_measures_{number}"},
        )
        which = [integer(number)]
        missing = case([(exp.EQ(this=named(f"s_{number}"), expression=integer(0)), 1)], 0)
        whole = {"number": which, "missing": [missing]}
        return [
            chain.bind("l_histogram", {"number": which}, reads=by_l),
            chain.bind("sensitive", {"number": which, "beyond": sums}, reads=by_l),
            chain.bind("sensitive_whole", whole, reads={**totals, "sensitive_rows": rows}),
        ]

    def _shares(self, number: int, key: SensitiveKey, reads: dict[str, str]) -> tuple[str, exp.Expression]:
        """The step of the shares, and t-closeness from its distances."""
        chain, name = self.job.chain, f"shares_{number}"
        if key.is_ordered:
            ordered, crossings = f"ordered_shares_{number}", f"ordered_crossings_{number}"
            chain.add(ordered, "ordered_shares", {}, reads=reads)
            chain.add(crossings, "ordered_crossings", {}, reads={**reads, "ordered_shares": ordered})
            chain.add(name, "ordered_distances", {}, reads={"ordered_shares": ordered, "ordered_crossings": crossings})
            return name, _ORDERED
        if key.group is None:
            chain.add(name, "categorical_shares", {}, reads=reads)
            return name, _CATEGORICAL
        groups = {"value": [self._present(number)], "group": [named(f"g_{number}")]}
        chain.add(f"value_groups_{number}", "value_groups", groups, reads={"sensitive_rows": reads["sensitive_rows"]})
        chain.add(name, "hierarchical_shares", {}, reads={**reads, "value_groups": f"value_groups_{number}"})
        return name, _HIERARCHICAL

    def _tail(self, number: int, shares: str) -> tuple[str, exp.Expression]:
        """The step that the measures read, and the sum of the counts from the l-th most frequent value on."""
        if self.asked.recursive_l == 1:
            return shares, exp.Sum(this=named("n"))
        if self.asked.recursive_l == 2:
            return shares, exp.Sub(this=exp.Sum(this=named("n")), expression=exp.Max(this=named("n")))
        name = f"ranked_shares_{number}"
        columns = [named(column) for column in self.job.chain.columns(shares)]
        self.job.chain.add(name, "ranked_shares", {"columns": columns}, reads={"shares": shares})
        late = exp.GTE(this=named("rank"), expression=integer(self.asked.recursive_l))
        return name, exp.Sum(this=case([(late, named("n"))], integer(0)))


def columns_of(keys: Sequence[SensitiveKey]) -> list[str]:
    """The columns of the rows: each value's, and its group's."""
    return [name for number, key in enumerate(keys, start=1) for name in _names(number, key)]


def texts_of(keys: Sequence[SensitiveKey]) -> set[str]:
    """Those of the columns that hold text, which is put in bytewise order where the order counts."""
    return {f"s_{number}" for number, key in enumerate(keys, start=1) if key.is_text and key.is_ordered}


def source_columns(keys: Sequence[SensitiveKey]) -> list[exp.Alias]:
    """What the release's step selects."""
    columns: list[exp.Alias] = []
    for number, item in enumerate(keys, start=1):
        columns.append(exp.alias_(item.key.copy(), f"s_{number}", quoted=True))
        if item.group is not None:
            columns.append(exp.alias_(item.group.copy(), f"g_{number}", quoted=True))
    return columns


def flags_of(keys: Sequence[SensitiveKey], left_out: Sequence[exp.Expression]) -> list[exp.Alias]:
    """The tallies of values that did not convert; those of a row for which a condition of ``left_out`` holds do not count."""
    flags = []
    for number, item in enumerate(keys, start=1):
        if item.may_fail:
            flag = case([*((condition, 0) for condition in left_out), (is_lost(item.given, item.key), 1)], 0)
            flags.append(exp.alias_(flag, f"sensitive_unconverted_{number}", quoted=True))
    return flags


def _names(number: int, key: SensitiveKey) -> list[str]:
    return [f"s_{number}", *([f"g_{number}"] if key.group is not None else [])]


def _beyond(limits: Mapping[str, Fraction]) -> Sequence[exp.Alias]:
    """For each limit, the classes and records beyond it."""
    for measure, bound in limits.items():
        value, room = (exp.Literal.number(repr(number)) for number in (float(bound), _TOLERANCE))
        below, above = exp.Sub(this=value, expression=room), exp.Add(this=value.copy(), expression=room.copy())
        if measure in {"l_distinct", "l_entropy"}:
            outside: exp.Expression = exp.LT(this=named(measure), expression=below)
        elif measure == "recursive_c":  # a strict bound
            outside = exp.GTE(this=named(measure), expression=below)
        else:
            column = "delta_present" if measure == "delta_disclosure" else measure
            outside = exp.GT(this=named(column), expression=above)
        if measure in _INFINITE:
            outside = exp.or_(outside, exp.EQ(this=named(_INFINITE[measure]), expression=integer(1)))
        records = exp.Mul(this=named("classes"), expression=named("records"))
        for what, count in (("classes", named("classes")), ("records", records)):
            total = exp.Sum(this=case([(outside, count)], integer(0)))
            yield exp.alias_(total, f"beyond_{measure}_{what}", quoted=True)


def _divided(over: exp.Expression, by: exp.Expression) -> exp.Expression:
    return exp.Div(this=over, expression=by, typed=True, safe=False)


def _t_closeness() -> tuple[exp.Expression, exp.Expression, exp.Expression]:
    """t-closeness from the distances of a class: of values alone, in order, and with their groups."""
    filled, whole = exp.cast(exp.Max(this=named("filled")), "double"), exp.Max(this=named("whole"))
    both = exp.Mul(this=filled.copy(), expression=whole.copy())

    def halves(distance: str, total: str) -> exp.Expression:
        # Values that the class lacks differ by the whole of their share in the table.
        absent = exp.paren(exp.Sub(this=whole.copy(), expression=exp.Sum(this=named(total))))
        apart = exp.Add(this=exp.Sum(this=named(distance)), expression=exp.Mul(this=filled.copy(), expression=absent))
        return exp.paren(_divided(exp.paren(apart), exp.paren(exp.Mul(this=both.copy(), expression=integer(2)))))

    gaps = exp.paren(exp.Sub(this=exp.Max(this=named("distinct_values")), expression=integer(1)))
    one = exp.LTE(this=exp.Max(this=named("distinct_values")), expression=integer(1))
    steps = exp.paren(exp.Mul(this=both.copy(), expression=gaps))
    ordered = case([(one, integer(0))], _divided(exp.Sum(this=named("distance")), steps))
    two = exp.Add(this=halves("distance", "total"), expression=halves("group_distance", "group_total"))
    return halves("distance", "total"), ordered, _divided(exp.paren(two), integer(2))


_CATEGORICAL, _ORDERED, _HIERARCHICAL = _t_closeness()
