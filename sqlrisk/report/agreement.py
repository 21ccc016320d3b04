"""The agreement record: what was decided of a release, ready to attach to the agreement under which it is handed over.

It is Markdown for people, and the same as data in a JSON block at its end. The fingerprint in it is of the whole result, so
that the record and a saved result can be held against each other later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlrisk.errors import RequestError, one_line
from sqlrisk.report import content, estimates, markdown, masking, measured, risks
from sqlrisk.report import json as json_report
from sqlrisk.report import public as outside
from sqlrisk.report.document import Code, Facts, Line, Report, Section, Table, line, lines
from sqlrisk.report.onrecord import validity
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, MeasuredColumn
from sqlrisk.result import MeasuredPopulation as Population

SCHEMA = "sqlrisk-agreement-1"
NOT_STATED = "not stated"
CHANGED_TEXT = "the text of the record was changed, or another version of sqlrisk wrote it"
_BLOCK = "```json\n"
_END = "```"
_AGREED = ("recipient", "purpose", "reference", "valid_from", "valid_until")
_RISKS = ("threshold", "classes_smaller_than", "highest_risk", "average_risk", "share_at_risk")


def fingerprint_of(result: Assessment | dict[str, Any]) -> str:
    """A digest of everything in a result, however its file is laid out. What stands at its default is left out, so that a
    later version, which knows more keys, gives the same."""
    if isinstance(result, dict):
        result = Assessment.from_dict(result)
    document = result.model_dump(mode="json", exclude_defaults=True, exclude={"schema_version"})
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'backslashreplace')).hexdigest()}"


def render(result: Assessment, public: bool = False) -> str:
    """The record as Markdown, with its data at the end."""
    data = record(result, public=public)
    text = markdown.shown(_compose(result, data, public))
    return f"{text}\n{_BLOCK}{json_report.shown(data)}{_END}\n"


def render_json(result: Assessment, public: bool = False) -> str:
    """The record as data alone."""
    return json_report.shown(record(result, public=public))


def record(result: Assessment, public: bool = False) -> dict[str, Any]:
    """The record as plain values; what was not stated is null. In a public one, figures are texts in which small counts are
    masked, and the policy has no fingerprint: it could be tried on guesses of a condition."""
    agreed = result.policy.agreement if result.policy is not None else None
    told = agreed.model_dump(mode="json") if agreed is not None else {}
    policy = result.policy
    return {
        "schema": SCHEMA,
        "public": public,
        "agreement": {key: told.get(key) for key in _AGREED},
        "release": _release(result, public),
        "quasi_identifiers": [_column(item, public) for item in result.release.quasi_identifiers],
        "sensitive": list(result.sensitive or {}),
        "attackers": _attackers(result, public),
        "population": None if result.population is None else _population(result.population, public),
        "limits": [_limit(check, public) for check in result.verdict.checks],
        "passed": result.verdict.passed,
        "justification": result.verdict.justification,
        "profile": result.verdict.profile,
        "sqlrisk_version": result.sqlrisk_version,
        "measured_at": f"{result.started_at:%Y-%m-%d}" if public else result.started_at.isoformat(),
        "policy": {
            "name": policy.name if policy is not None else None,
            "fingerprint": policy.fingerprint if policy is not None and not public else None,
        },
        "result_fingerprint": fingerprint_of(result),
    }


def verify(text: str, result: Assessment) -> list[str]:
    """What of a record is not as ``result`` has it; empty if it is a record of this very result.

    :class:`RequestError` if ``text`` is no record.
    """
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    found = read(text)
    public = found["public"]
    due = json.loads(json_report.shown(record(result, public=public)))
    different = []
    if found.get("result_fingerprint") != due["result_fingerprint"]:
        different.append("the result's fingerprint is another: the result was changed since, or is of another run")
    figures = ({key: value for key, value in data.items() if key != "result_fingerprint"} for data in (found, due))
    different += _differences(*figures)
    if found == due:
        expected = render(result, public=public) if _BLOCK in text else render_json(result, public=public)
        different += [CHANGED_TEXT] if _lines(text) != _lines(expected) else []
    return different


def read(text: str) -> dict[str, Any]:
    """The data of a record, of Markdown or of JSON alone; :class:`RequestError` if it is none."""
    body = text
    start = text.rfind("\n" + _BLOCK)
    if start >= 0:
        body = text[start + 1 + len(_BLOCK) :].rpartition(_END)[0]
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not str(found.get("schema", "")).startswith("sqlrisk-agreement-"):
        raise RequestError("it is no agreement record", "give what `sqlrisk report RESULT --format agreement` wrote")
    if found["schema"] != SCHEMA:
        raise RequestError(f"it is a record of another kind ({found['schema']})", "upgrade sqlrisk")
    if not isinstance(found.get("public"), bool):
        raise RequestError("the record does not say whether it is public", "give one as sqlrisk wrote it")
    return found


def _differences(recorded: Any, due: Any, path: str = "") -> Iterator[str]:
    """What a record says otherwise, each by its dotted path."""
    if isinstance(recorded, dict) and isinstance(due, dict):
        for key in dict.fromkeys([*due, *recorded]):
            place = f"{path}.{key}" if path else key
            if (key in due) != (key in recorded):  # one that is null says something too
                yield f"`{one_line(place)}` is {'missing' if key in due else 'added'}"
                continue
            yield from _differences(recorded[key], due[key], place)
    elif isinstance(recorded, list) and isinstance(due, list) and len(recorded) == len(due):
        for number, pair in enumerate(zip(recorded, due, strict=True)):
            yield from _differences(*pair, f"{path}[{number}]")
    elif recorded != due:
        yield f"{one_line(path)}: the record says {_told(recorded)}, the result {_told(due)}"


def _told(value: Any) -> str:
    if value is None:
        return "nothing"
    text = one_line(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _lines(text: str) -> list[str]:
    return [piece.rstrip() for piece in text.rstrip().splitlines()]


def _release(result: Assessment, public: bool) -> dict[str, Any]:
    release = result.release
    if public:
        people = release.entities
        return {
            "records": masking.count(release.records),
            "people": None if people is None else masking.count(people),
            "nulls": release.nulls,
            "restricted": bool(release.where or release.query),
        }
    return {
        "table": release.table,
        "query": release.query,
        "histogram": release.histogram,
        "where": release.where,
        "records": release.records,
        "people": release.entities,
        "entity_id": release.entity_id,
        "entity_counting": release.entity_counting,
        "nulls": release.nulls,
        "suppressed": release.suppressed,
        "excluded_records": release.excluded_records,
        "suppressed_records": release.suppressed_records,
        "classes": result.classes,
        "smallest_class": result.smallest_class,
        "sample_uniques": result.sample_uniques.records,
    }


def _column(item: MeasuredColumn, public: bool) -> dict[str, Any]:
    told = outside.generalisation_of(item) if public else item.generalisation
    return {"column": item.column, "generalisation": told}


def _attackers(result: Assessment, public: bool) -> dict[str, Any]:
    if public:
        shown = outside.figures_of(result)
        return {name: {**_thresholds(result, name), **cells} for name, cells in shown.items()}
    known = result.attackers
    told: dict[str, Any] = {"prosecutor": {key: getattr(known.prosecutor, key) for key in _RISKS}}
    for name, risk in (("journalist", known.journalist), ("marketer", known.marketer)):
        if risk.average_risk is not None:
            keys = (
                (*_RISKS, "basis", "reliability") if name == "journalist" else ("average_risk", "basis", "reliability")
            )
            told[name] = {key: getattr(risk, key) for key in keys}
    return told


def _thresholds(result: Assessment, attacker: str) -> dict[str, Any]:
    risk = getattr(result, attacker)
    return {key: getattr(risk, key) for key in ("threshold", "classes_smaller_than") if hasattr(risk, key)}


def _population(found: Population, public: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "description": found.description,
        "source": found.source,
        "as_of": None if found.as_of is None else found.as_of.isoformat(),
        "estimator": found.uniques.estimator,
        "reliability": found.uniques.reliability,
    }
    if public:
        return {**told, "size": None if found.size is None else masking.count(found.size)}
    return {
        **told,
        "table": found.table,
        "where": found.where,
        "model": found.model,
        "size": found.size,
        "sampling_fraction": found.sampling_fraction,
        "population_uniques_of_the_release": found.uniques.release_share,
    }


def _limit(check: Any, public: bool) -> dict[str, Any]:
    told = {
        "measure": check.measure,
        "direction": check.direction,
        "limit": _plain(check.limit),
        "passed": check.passed,
    }
    if public:
        return {**told, "measured": check.value is not None}
    return {**told, "value": _plain(check.value), "compared": _plain(check.compared)}


def _plain(value: float | None) -> float | str | None:
    return "infinity" if value == float("inf") else value


def _compose(result: Assessment, data: dict[str, Any], public: bool) -> Report:
    """The record for people."""
    words = Words(result)
    judgement = outside.judgement_for(result, public)
    sections = [
        Section("The agreement", (Facts(_agreed(data)),)),
        Section("The release", (Facts(_told_of_release(result, words, public)),)),
        Section(
            "The attackers, and what they achieve", (_risks(result, public), Facts(_thresholds_told(result, words)))
        ),
        *([Section("The population", (Facts(_told_of_population(data["population"])),))] if result.population else []),
        Section("What it rests on", (Facts(_basis(result, data)),)),
    ]
    name = data["policy"]["name"]
    return Report(
        title=f"Agreement record: re-identification risk of {name or _named(result, public)}",
        banner=outside.BANNER if public else content.BANNER,
        judgement=judgement,
        sections=tuple(sections),
        closing="The same as data; sqlrisk report RESULT --verify RECORD holds both against the saved result:",
        statements=(),
    )


def _named(result: Assessment, public: bool) -> str:
    return "a release" if public else result.release.table or result.release.histogram or "a query"


def _agreed(data: dict[str, Any]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    agreed = data["agreement"]
    rows = [(key.capitalize(), agreed[key]) for key in ("recipient", "purpose", "reference")]
    rows.append(("Valid", validity(agreed["valid_from"], agreed["valid_until"])))
    rows += [("Justification of the limits", data["justification"]), ("Published precedent", data["profile"])]
    return tuple((label, (line(one_line(text) if text else NOT_STATED),)) for label, text in rows)


def _told_of_release(result: Assessment, words: Words, public: bool) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    blocks = outside.release(result, words) if public else measured.release(result, words)
    rows = [row for block in blocks if isinstance(block, Facts) for row in block.rows]
    if result.sensitive:
        rows.append(("Sensitive columns", tuple(line(Code(name)) for name in result.sensitive)))
    return tuple(rows)


def _risks(result: Assessment, public: bool) -> Table:
    if public:
        return outside.table_of(result)
    return risks.table(result.attackers, Words(result))


def _thresholds_told(result: Assessment, words: Words) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    known = [("Prosecutor threshold", result.prosecutor)]
    known += [("Journalist threshold", result.journalist)] if result.journalist.average_risk is not None else []
    return tuple((label, lines(words.threshold(risk))) for label, risk in known)


def _told_of_population(found: dict[str, Any]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    size = found["size"]
    grade = f" ({found['reliability']})" if found["reliability"] else ""
    known_from = estimates.estimator(found["estimator"])
    return (
        ("What", (line(one_line(found["description"] or NOT_STATED)),)),
        ("Of when", lines(found["as_of"] or NOT_STATED)),
        ("From where", (line(one_line(found["source"] or NOT_STATED)),)),
        ("Size", lines(f"{size:,} people" if isinstance(size, int) else size or NOT_STATED)),
        ("Estimator", ((*known_from, grade),)),
    )


def _basis(result: Assessment, data: dict[str, Any]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    policy = data["policy"]
    rows: list[tuple[str, tuple[Line, ...]]] = [
        ("Measured on", lines(f"{result.started_at:%Y-%m-%d}, by sqlrisk {result.sqlrisk_version}")),
        ("Policy", (line(Code(policy["name"])) if policy["name"] else line(NOT_STATED),)),
    ]
    if policy["fingerprint"]:
        rows.append(("Policy's fingerprint", (line(Code(policy["fingerprint"])),)))
    rows.append(("Result's fingerprint", (line(Code(data["result_fingerprint"])),)))
    return tuple(rows)
