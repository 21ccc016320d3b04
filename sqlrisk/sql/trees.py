"""The few shapes of syntax tree that everything here is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp


def string(text: str) -> exp.Literal:
    """A text literal."""
    return exp.Literal.string(text)


def integer(value: int) -> exp.Expression:
    """A whole-number literal."""
    return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))


def named(name: str) -> exp.Column:
    """A column of an earlier step, quoted."""
    return exp.column(name, quoted=True)


def of_source(name: str) -> exp.Column:
    """A column of the relation that is measured, quoted."""
    return exp.column(name, table="source", quoted=True)


def is_null(value: exp.Expression) -> exp.Is:
    """``value IS NULL``."""
    return exp.Is(this=value, expression=exp.null())


def is_lost(given: exp.Expression, key: exp.Expression) -> exp.Expression:
    """Whether a value that is given did not convert."""
    return exp.and_(exp.Not(this=is_null(given.copy())), is_null(key.copy()))


def case(
    branches: Sequence[tuple[exp.Expression, exp.Expression | int]], otherwise: exp.Expression | int | None = None
) -> exp.Expression:
    """``CASE WHEN condition THEN value … ELSE otherwise END``; ``otherwise`` itself without branches."""
    default = None if otherwise is None else _value(otherwise)
    if not branches:
        return default
    ifs = [exp.If(this=condition.copy(), true=_value(value)) for condition, value in branches]
    return exp.Case(ifs=ifs, default=default)


def join(parts: Sequence[exp.Expression]) -> exp.Expression:
    """``a || b || …``."""
    first, *rest = parts
    for part in rest:
        first = exp.DPipe(this=first, expression=part, safe=False)
    return first


def sum_of(column: str, name: str | None = None, to: str = "bigint") -> exp.Alias:
    """The sum of ``column``, a whole number unless ``to`` says what, called ``name`` or as the column is."""
    return exp.alias_(exp.cast(exp.Sum(this=named(column)), to), name or column, quoted=True)


def sums_of(columns: Sequence[str]) -> list[exp.Alias]:
    """The sum of each of ``columns``, under its name."""
    return [sum_of(column) for column in columns]


def masked(keys: Mapping[int, str], pattern: str) -> list[exp.Expression]:
    """The coded keys of ``wild``, by their number, 0 where ``pattern`` (a table) misses them."""
    return [
        exp.alias_(
            exp.Mul(
                this=exp.column(key, table="wild", quoted=True),
                expression=exp.column(f"present_{number}", table=pattern, quoted=True),
            ),
            key,
            quoted=True,
        )
        for number, key in keys.items()
    ]


def _value(value: exp.Expression | int) -> exp.Expression:
    return integer(value) if isinstance(value, int) else value.copy()
