"""The column check of HIPAA's Safe Harbor, 45 CFR 164.514(b)(2): which columns look like one of the 18 identifiers.

It looks at names, shapes and bounds. It measures no risk, and cannot judge free text. Where it cannot tell, it says so.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlrisk.errors import RequestError, number_of
from sqlrisk.generalisations import Cut, QuasiIdentifier, Truncate
from sqlrisk.hints import DIRECT, MOSTLY, word_of
from sqlrisk.parts.columns import ColumnProfile, SafeHarbor, SafeHarborFinding
from sqlrisk.policy import Policy
from sqlrisk.sql.columns import AskedOfColumn
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.relation import Kind

SMALL = 20_000
"""A three-digit ZIP area must have more people than this."""
OLDEST = 90
"""Ages over 89 may only stand together, as 90 or older."""
_BY_NAME_OR_SHAPE = (
    "names",
    "geographic subdivisions",
    "telephone numbers",
    "fax numbers",
    "email addresses",
    "social security numbers",
    "medical record numbers",
    "health plan beneficiary numbers",
    "account numbers",
    "certificate and license numbers",
    "vehicle identifiers",
    "device identifiers",
    "web addresses",
    "IP addresses",
    "biometric identifiers",
    "full-face photographs",
    "other unique identifiers",
)
UNREAD = "values that are not read"
_SHAPES = {"email addresses": "email", "telephone numbers": "phone", "IP addresses": "ip", "web addresses": "url"}
_TYPES = {
    "inet": "IP addresses",
    "cidr": "IP addresses",
    "macaddr": "device identifiers",
    "macaddr8": "device identifiers",
}
_ZIP, _DATES, _BIRTH_YEARS, _AGES = "ZIP codes", "dates", "birth years", "ages"
_OWN_SHAPES = {
    "longer": "([0-9A-Za-z][^0-9A-Za-z]*){4}",  # a ZIP code of more than three characters; 021** has three
    "year": "^[12][0-9]{3}$",
    "month": "^[12][0-9]{3}[-/](0[1-9]|1[0-2])$",
    "sentence": "[^ ]+( +[^ ]+){4}",
}
_AS_NUMBER = {
    _ZIP: 999,
    _AGES: OLDEST,
    _DATES: 9999,
}  # a ZIP code of more digits, an age over 89, a date and not a year


@dataclass(frozen=True)
class _Column:
    """One column, what was counted of it, and the identifier that its name stands for."""

    item: Generalised
    counts: Mapping[str, int]
    profile: ColumnProfile
    how: object

    @property
    def name(self) -> str:
        return self.item.column

    @property
    def identifier(self) -> str:
        return _identifier(self.name)

    def count(self, shape: str) -> int:
        """Records whose value has the shape."""
        return self.counts[f"shape_{shape}"]

    @property
    def no_date(self) -> int:
        """Records whose value is a text, and is read neither as a date nor as a year."""
        if self.item.kind is not Kind.TEXT:
            return 0
        present = self.counts["records"] - self.counts["missing"]
        return present - sum(self.count(shape) for shape in ("date", "month", "year"))


@dataclass
class _Judged:
    """What was found of the columns that an identifier is about."""

    seen: list[str] = field(default_factory=list)
    found: dict[str, str] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)

    def finding(self, identifier: str, nothing: str, kept: str) -> SafeHarborFinding:
        """``nothing`` is said where no column was seen, and ``kept`` where all of them may stay."""
        for status, told in (("found", self.found), ("not checked", self.unchecked)):
            if told:
                return SafeHarborFinding(
                    identifier=identifier, status=status, columns=list(told), reason=_together(told)
                )
        reason = kept if self.seen else nothing
        return SafeHarborFinding(identifier=identifier, status="not found", columns=self.seen, reason=reason)


@dataclass(frozen=True)
class SafeHarborCheck:
    """What is asked of the columns, and what the answers say. ``areas`` are the people of each three-digit ZIP area, None
    where no file was given; ``year`` is that by which ages are told from dates of birth."""

    given: Mapping[str, QuasiIdentifier]
    areas: Mapping[str, int] | None
    year: int

    @classmethod
    def of(cls, policy: Policy) -> SafeHarborCheck:
        """The check of a policy; :class:`RequestError` where its file of ZIP areas is none."""
        path = policy.columns.zip3
        areas = None if path is None else read_areas(Path(path))
        given = {item.column.casefold(): item for item in policy.release.quasi_identifiers}
        return cls(given, areas, datetime.now(UTC).year)

    @property
    def last_year(self) -> int:
        """Who was born in it, or before, can be over 89."""
        return self.year - OLDEST

    def asked(self, item: Generalised) -> AskedOfColumn:
        """What is to be counted of a column beside its values."""
        named = _identifier(item.column)
        cut = isinstance(self._how(item), Cut)
        areas = small = None
        if named == _ZIP and self.areas is not None:
            small = [area for area, people in self.areas.items() if people <= SMALL and area != "000"]
            areas = [*self.areas, "000"]  # what stands for the small ones
        dated = named in (_DATES, _BIRTH_YEARS)
        return AskedOfColumn(
            shapes=_OWN_SHAPES,
            above=None if cut else _AS_NUMBER.get(named),
            no_number=named == _AGES,
            until_year=self.last_year if not cut and named in (_DATES, _BIRTH_YEARS, "") else None,
            bare_years=dated,
            areas=areas,
            small=small,
        )

    def result(
        self, keys: Sequence[Generalised], counts: Sequence[Mapping[str, int]], profiles: Sequence[ColumnProfile]
    ) -> SafeHarbor:
        """What the check found, identifier by identifier; ``profiles`` has columns that were not measured at its end."""
        columns = [
            _Column(item, own, profile, self._how(item))
            for item, own, profile in zip(keys, counts, profiles, strict=False)
        ]
        found = {name: _looks_like(name, columns, profiles) for name in _BY_NAME_OR_SHAPE}
        first, then = _BY_NAME_OR_SHAPE[:2], _BY_NAME_OR_SHAPE[2:]
        findings = [*(found[name] for name in first), self._zip(columns), self._dates(columns), self._ages(columns)]
        return SafeHarbor(findings=[*findings, *(found[name] for name in then), _unread(columns, profiles)])

    def _how(self, item: Generalised) -> object:
        asked = self.given.get(item.column.casefold())
        return None if asked is None else asked.generalisation

    def _zip(self, columns: Sequence[_Column]) -> SafeHarborFinding:
        judged = _Judged()
        for column in columns:
            if column.identifier != _ZIP and (column.identifier or column.profile.shapes.get("postcode", 0) < MOSTLY):
                continue
            judged.seen.append(column.name)
            if column.count("longer") or (column.item.kind.is_number and column.counts["above"]):
                judged.found[column.name] = "more than the first three digits are given"
            elif self.areas is None:
                judged.unchecked[column.name] = (
                    f"whether each three-digit area has more than {SMALL:,} people: no file of them is given (--zip3)"
                )
            elif records := column.counts["small_area"]:
                judged.found[column.name] = f"{_records(records)} in areas of {SMALL:,} people or fewer"
            elif records := column.counts["other_area"]:
                judged.unchecked[column.name] = f"{_records(records)} in areas that the file of --zip3 lacks"
        kept = f"three digits, of areas with more than {SMALL:,} people each"
        return judged.finding(_ZIP, "no column is named or shaped like them", kept)

    def _dates(self, columns: Sequence[_Column]) -> SafeHarborFinding:
        judged = _Judged()
        for column in columns:
            parts = (column.item.spec or "").partition("=")[0].partition("@")[0] in ("weekday", "time")
            named = column.identifier == _DATES
            shaped = column.count("date")
            if not (named or parts or shaped or column.item.given_kind.has_date):
                continue
            if isinstance(column.how, Truncate) and column.how.unit == "year":
                judged.seen.append(column.name)
            elif column.item.given_kind.has_date or parts or (named and column.counts["above"]):
                judged.found[column.name] = "finer than a year, or parts of a day"
            elif finer := shaped + (column.count("month") if named else 0):
                judged.found[column.name] = f"{_values(finer)} finer than a year"
            elif other := column.no_date:
                judged.unchecked[column.name] = (
                    f"{_values(other)} of a column that is named like a date not read as one"
                )
            else:
                judged.seen.append(column.name)
        return judged.finding(_DATES, "no column is named or shaped like them", "years, and nothing finer")

    def _ages(self, columns: Sequence[_Column]) -> SafeHarborFinding:
        judged = _Judged()
        for column in columns:
            old, unread = column.counts["above"], column.counts["no_number"]
            if column.identifier == _AGES:
                judged.seen.append(column.name)
                if isinstance(column.how, Cut):
                    if column.how.bounds[-1] > OLDEST:
                        judged.found[column.name] = f"a group begins after {OLDEST}"
                elif old:
                    judged.found[column.name] = (
                        f"{_records(old)} with an age over {OLDEST}: they may only stand together, as {OLDEST} or older"
                    )
                elif unread:
                    judged.unchecked[column.name] = (
                        f"{_records(unread)} with an age that is no number: whether those over 89 stand together is not known"
                    )
            elif column.identifier in (_DATES, _BIRTH_YEARS) and isinstance(column.how, Cut):
                if column.how.bounds[0] <= self.last_year:
                    judged.found[column.name] = f"a group ends before {self.last_year}, which is finer than 90 or older"
            elif born := column.counts["until_year"]:
                judged.found[column.name] = (
                    f"{_records(born)} with a year up to {self.last_year}, which gives an age over 89 if it is that of birth"
                )
            elif column.identifier in (_DATES, _BIRTH_YEARS) and (unread := column.no_date):
                judged.unchecked[column.name] = f"{_values(unread)} of a date, perhaps of birth, not read as one"
        kept = f"no age is over {OLDEST}, which is taken to stand for {OLDEST} or older"
        return judged.finding("ages over 89", "no column is named like ages, and no date is as old", kept)


def _looks_like(identifier: str, columns: Sequence[_Column], profiles: Sequence[ColumnProfile]) -> SafeHarborFinding:
    """The columns that are named like an identifier, and those with any value of its shape: a check errs on this side."""
    judged = _Judged()
    for profile in profiles:
        if _identifier(profile.column) == identifier:
            judged.found[profile.column] = "named like them"
        elif _TYPES.get(profile.type.casefold()) == identifier:
            judged.found[profile.column] = "of their type"
    for column in columns:
        shape, hint = _SHAPES.get(identifier), column.profile.hint
        if shape and column.profile.shapes and (records := column.count(shape)):
            judged.found[column.name] = f"{_values(records)} shaped like them"
        if identifier == "other unique identifiers" and hint and hint.kind == DIRECT and hint.by == "figures":
            judged.found[column.name] = "a value of its own for each record"
    shaped = "named or shaped" if identifier in _SHAPES else "named"
    return judged.finding(identifier, f"no column is {shaped} like them", "")


def _unread(columns: Sequence[_Column], profiles: Sequence[ColumnProfile]) -> SafeHarborFinding:
    """What the check cannot see into."""
    judged = _Judged()
    for column in columns:
        if column.item.kind is Kind.TEXT and (records := column.count("sentence")):
            judged.unchecked[column.name] = f"{_values(records)} of five words or more"
        elif column.item.kind is Kind.OTHER and column.profile.type.casefold() not in _TYPES:
            judged.unchecked[column.name] = f"values of the type {column.profile.type}"
    for profile in profiles[len(columns) :]:
        judged.unchecked[profile.column] = f"values of the type {profile.type}"
    return judged.finding(UNREAD, "every column is of short values", "")


def _together(told: Mapping[str, str]) -> str:
    """The reasons of several columns, each once."""
    reasons = list(dict.fromkeys(told.values()))
    if len(reasons) == 1:
        counted = len(told) > 1 and reasons[0][0].isdigit()
        return f"{reasons[0]}, in each" if counted else reasons[0]
    return "; ".join(f"`{column}`: {reason}" for column, reason in told.items())


def _records(count: int) -> str:
    return number_of(count, "record", "records")


def _values(count: int) -> str:
    return number_of(count, "value", "values")


def _identifier(name: str) -> str:
    word = word_of(name)
    return word.identifier if word is not None else ""


def read_areas(path: Path) -> dict[str, int]:
    """A CSV with the header ``zip3,people``."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
    except OSError as problem:
        raise RequestError(f"--zip3: {path} cannot be read ({problem.strerror})", "check the path") from None
    except (UnicodeDecodeError, csv.Error):
        raise RequestError(f"--zip3: {path} is not a CSV in UTF-8", "write `zip3,people`") from None
    if not rows or [cell.strip() for cell in rows[0]] != ["zip3", "people"]:
        raise RequestError(f"--zip3: {path.name} does not begin with the header `zip3,people`", "add it")
    areas: dict[str, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != 2 or not row[0].strip().isdigit() or len(row[0].strip()) != 3 or not row[1].strip().isdecimal():
            raise RequestError(
                f"--zip3: line {number} of {path.name} is not three digits and a number of people", "write `036,12345`"
            )
        if areas.setdefault(row[0].strip(), int(row[1])) != int(row[1]):
            raise RequestError(f"--zip3: line {number} of {path.name} gives an area two numbers", "give each area once")
    if not areas:
        raise RequestError(f"--zip3: {path.name} has no areas", "write a line for each")
    return areas
