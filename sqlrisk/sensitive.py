"""Sensitive columns, as users write them: ``diagnosis``, ``paid:numeric``, ``stage:ordered=I,II``, ``icd:map=chapters.csv``.

How a column is compared decides its t-closeness alone: by value, by the order of its values, or by a map's groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlrisk.errors import RequestError, nearest
from sqlrisk.generalisations import MapTo, QuasiIdentifier, build

KINDS = ("categorical", "numeric", "ordered", "hierarchical")
_EXAMPLE = "write `COLUMN`, `COLUMN:numeric`, `COLUMN:ordered=low,high` or `COLUMN:map=groups.csv`"


@dataclass(frozen=True)
class Sensitive:
    """A column whose values are nobody's business, and how they are compared.

    ``numeric`` values are ordered as numbers, ``ordered`` ones as the engine orders them, or as ``order`` lists them from
    the lowest; ``mapping`` gives the groups of a ``hierarchical`` column.
    """

    column: str
    kind: str = "categorical"
    order: tuple[str, ...] = ()
    mapping: MapTo | None = None

    @classmethod
    def parse(cls, text: str, folder: Path | None = None) -> Sensitive:
        """Read the text of an option or of a policy's item; a map's path is relative to ``folder``."""
        column, given = QuasiIdentifier.split(text, "a sensitive column", _EXAMPLE)
        kind, equals, argument = (given or "categorical").partition("=")
        options: dict[str, object] = {}
        if kind.strip() == "map" and ":else=" in argument:
            argument, _, options["else"] = argument.partition(":else=")
        return cls._build(column, kind.strip(), argument if equals else None, options, folder)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object], folder: Path | None = None) -> Sensitive:
        """Read ``{paid: numeric}``, ``{stage: {ordered: [I, II, III]}}`` or ``{icd: {map: chapters.csv}}``."""
        if len(mapping) != 1 or not isinstance(next(iter(mapping)), str):
            raise RequestError("a sensitive column has one name", "write each as an item of its own: `- paid: numeric`")
        ((column, value),) = mapping.items()
        if value is None:
            return cls(column)
        if isinstance(value, str):
            quoted = column.replace('"', '""')
            return cls.parse(f'"{quoted}":{value}', folder)
        kinds = {str(key): item for key, item in value.items() if key != "else"} if isinstance(value, Mapping) else {}
        if len(kinds) != 1:
            raise RequestError(f"`{column}`: `{value}` does not say how its values are compared", _EXAMPLE)
        ((kind, argument),) = kinds.items()
        options = {"else": value["else"]} if "else" in value else {}
        return cls._build(column, kind, argument, options, folder)

    @classmethod
    def _build(
        cls, column: str, kind: str, argument: object, options: Mapping[str, object], folder: Path | None
    ) -> Sensitive:
        if kind == "map":
            return cls(column, "hierarchical", mapping=build(column, "map", argument, options, folder))
        if kind not in KINDS or kind == "hierarchical":
            known = ["categorical", "numeric", "ordered", "map"]
            raise RequestError(f"`{column}`: a sensitive column is not `{kind}`", nearest(kind, known))
        if options or (argument is not None and kind != "ordered"):
            raise RequestError(f"`{column}`: {kind} takes no value", _EXAMPLE)
        if argument is None:
            return cls(column, kind)
        items = argument if isinstance(argument, list | tuple) else str(argument).split(",")
        order = tuple(str(item).strip() for item in items)
        if len(order) < 2 or len(set(order)) < len(order) or not all(order):
            raise RequestError(
                f"`{column}`: the order is not a list of at least two different values",
                "write `stage:ordered=I,II,III`",
            )
        return cls(column, kind, order)

    @property
    def spec(self) -> str:
        """How the values are compared, as the user writes it."""
        if self.mapping is not None:
            return self.mapping.spec
        return self.kind + (f"={','.join(self.order)}" if self.order else "")
