"""The column check of HIPAA's Safe Harbor, 45 CFR 164.514(b)(2): which columns look like one of the 18 identifiers.

It looks at names, shapes and bounds. It measures no risk, and sees nothing of free text.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlrisk.errors import RequestError, number_of
from sqlrisk.generalisations import Cut, Prefix, QuasiIdentifier, Truncate
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
_IDENTIFIERS = (
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
_LONGER = "longer"  # a ZIP code of more than three characters


@dataclass(frozen=True)
class SafeHarborCheck:
    """What is asked of the columns, and what the answers say. ``areas`` are the people of each three-digit ZIP area, None
    where no file was given."""

    given: Mapping[str, QuasiIdentifier]
    areas: Mapping[str, int] | None
    year: int

    @classmethod
    def of(cls, policy: Policy) -> SafeHarborCheck:
        """The check of a policy; :class:`RequestError` where its file of ZIP areas is none."""
        path = policy.columns.zip3
        areas = None if path is None else _read_areas(Path(path))
        given = {item.column.casefold(): item for item in policy.release.quasi_identifiers}
        return cls(given, areas, datetime.now(UTC).year)

    def asked(self, item: Generalised) -> AskedOfColumn:
        """What is to be counted of a column beside its values."""
        named = _identifier(item.column)
        how = self._how(item)
        if named == "ZIP codes" or (named == "" and isinstance(how, Prefix)):
            small = [area for area, people in (self.areas or {}).items() if people <= SMALL and area != "000"]
            large = [area for area in (self.areas or {}) if area not in small] + ["000"]
            return AskedOfColumn(
                shapes={_LONGER: "^.{4,}$"},
                above=999,
                among=large + small if self.areas is not None else None,
                small=small if self.areas is not None else None,
            )
        if named == "ages" and not isinstance(how, Cut):
            return AskedOfColumn(above=OLDEST)
        if named in ("dates", "birth years") and item.kind in (Kind.INTEGER, Kind.TEXT):
            return AskedOfColumn(at_most=self.year - OLDEST)
        return AskedOfColumn()

    def result(
        self, keys: Sequence[Generalised], counts: Sequence[Mapping[str, int]], profiles: Sequence[ColumnProfile]
    ) -> SafeHarbor:
        """What the check found, identifier by identifier."""
        measured = list(zip(keys, counts, profiles, strict=False))
        found = {name: self._looks_like(name, profiles) for name in _IDENTIFIERS}
        findings = [found["names"], found["geographic subdivisions"], self._zip(measured), self._dates(measured)]
        findings += [self._ages(measured), *(found[name] for name in _IDENTIFIERS[2:])]
        return SafeHarbor(findings=findings)

    def _how(self, item: Generalised) -> object:
        asked = self.given.get(item.column.casefold())
        return None if asked is None else asked.generalisation

    def _looks_like(self, identifier: str, profiles: Sequence[ColumnProfile]) -> SafeHarborFinding:
        columns = [item.column for item in profiles if _is(identifier, item)]
        unseen = ""
        if identifier == "other unique identifiers":
            own = [
                item.column for item in profiles if item.hint and item.hint.kind == DIRECT and item.hint.by == "figures"
            ]
            columns = list(dict.fromkeys([*columns, *own]))
            unseen = "; what stands in free text is not looked into"
        if columns:
            return SafeHarborFinding(
                identifier=identifier, status="found", columns=columns, reason=f"named or shaped like them{unseen}"
            )
        return SafeHarborFinding(
            identifier=identifier, status="not found", reason=f"no column is named or shaped like them{unseen}"
        )

    def _zip(self, measured: Sequence[tuple[Generalised, Mapping[str, int], ColumnProfile]]) -> SafeHarborFinding:
        what = "ZIP codes"
        columns = [(item, own) for item, own, profile in measured if _is_zip(item, profile)]
        if not columns:
            return SafeHarborFinding(
                identifier=what, status="not found", reason="no column is named or shaped like them"
            )
        longer = [
            item.column for item, own in columns if own[f"shape_{_LONGER}"] or (item.kind.is_number and own["above"])
        ]
        if longer:
            reason = "more than the first three digits are given"
            return SafeHarborFinding(identifier=what, status="found", columns=longer, reason=reason)
        names = [item.column for item, _ in columns]
        if self.areas is None:
            reason = f"whether each three-digit area has more than {SMALL:,} people: no file of them is given (--zip3)"
            return SafeHarborFinding(identifier=what, status="not checked", columns=names, reason=reason)
        for item, own in columns:
            if records := own["small"]:
                reason = f"{number_of(records, 'record', 'records')} in areas of {SMALL:,} people or fewer"
                return SafeHarborFinding(identifier=what, status="found", columns=[item.column], reason=reason)
            if records := own["not_among"]:
                reason = f"{number_of(records, 'record', 'records')} in areas that the file of --zip3 lacks"
                return SafeHarborFinding(identifier=what, status="not checked", columns=[item.column], reason=reason)
        reason = f"three digits, of areas with more than {SMALL:,} people each"
        return SafeHarborFinding(identifier=what, status="not found", columns=names, reason=reason)

    def _dates(self, measured: Sequence[tuple[Generalised, Mapping[str, int], ColumnProfile]]) -> SafeHarborFinding:
        finer = [
            item.column
            for item, _, profile in measured
            if _has_date(item, profile) and not (isinstance(how := self._how(item), Truncate) and how.unit == "year")
        ]
        if finer:
            return SafeHarborFinding(
                identifier="dates", status="found", columns=finer, reason="finer than a year, or parts of a day"
            )
        return SafeHarborFinding(
            identifier="dates", status="not found", reason="no column holds dates finer than a year"
        )

    def _ages(self, measured: Sequence[tuple[Generalised, Mapping[str, int], ColumnProfile]]) -> SafeHarborFinding:
        what = "ages over 89"
        seen: list[str] = []
        for item, own, _ in measured:
            named, how = _identifier(item.column), self._how(item)
            if named == "ages":
                seen.append(item.column)
                late = isinstance(how, Cut) and how.bounds[-1] > OLDEST
                if late or own["above"]:
                    reason = (
                        f"a group begins after {OLDEST}"
                        if late
                        else f"{number_of(own['above'], 'record', 'records')} with an age over {OLDEST}: they may only stand "
                        f"together, as {OLDEST} or older"
                    )
                    return SafeHarborFinding(identifier=what, status="found", columns=[item.column], reason=reason)
            elif named in ("dates", "birth years") and own["at_most"]:
                reason = (
                    f"{number_of(own['at_most'], 'record', 'records')} with a year up to {self.year - OLDEST}, which gives "
                    "an age over 89 if it is that of birth"
                )
                return SafeHarborFinding(identifier=what, status="found", columns=[item.column], reason=reason)
        reason = (
            f"no age is over {OLDEST}, which is taken to stand for {OLDEST} or older"
            if seen
            else "no column is named like them"
        )
        return SafeHarborFinding(identifier=what, status="not found", columns=seen, reason=reason)


def _identifier(name: str) -> str:
    word = word_of(name)
    return word.identifier if word is not None else ""


def _is(identifier: str, item: ColumnProfile) -> bool:
    if _identifier(item.column) == identifier:
        return True
    shape = {"email addresses": "email", "telephone numbers": "phone", "IP addresses": "ip", "web addresses": "url"}
    return identifier in shape and item.shapes.get(shape[identifier], 0) >= MOSTLY


def _is_zip(item: Generalised, profile: ColumnProfile) -> bool:
    return _identifier(item.column) == "ZIP codes" or (
        _identifier(item.column) == "" and profile.shapes.get("postcode", 0) >= MOSTLY
    )


def _has_date(item: Generalised, profile: ColumnProfile) -> bool:
    parts = item.spec is not None and item.spec.partition("=")[0].partition("@")[0] in ("weekday", "time")
    return item.given_kind.has_date or parts or profile.shapes.get("date", 0) >= MOSTLY


def _read_areas(path: Path) -> dict[str, int]:
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
