"""Declarations that between them ask for everything the package composes, and the table and register that they are about."""

from __future__ import annotations

RELEASE = """
CREATE TABLE {schema}.people (
  id INTEGER, sex VARCHAR(10), age INTEGER, zip VARCHAR(10), height DOUBLE PRECISION, born DATE, seen TIMESTAMP,
  paid DECIMAL(10, 2), stage VARCHAR(10), weekly TIMESTAMP WITH TIME ZONE, smoker BOOLEAN
)
"""
REGISTER = """
CREATE TABLE {schema}.register (id INTEGER, gender VARCHAR(10), age INTEGER, zip VARCHAR(10), born DATE, seen TIMESTAMP)
"""
_TWO = ["sex", "zip:prefix=3"]
_FOUR = ["sex", {"age": {"band": 5}}, {"zip": {"prefix": 3}}, "born:truncate=month"]
_REGISTER = {"table": "register", "columns": {"sex": "gender"}}
_OF_PEOPLE = {**_REGISTER, "entity_id": "id"}

DECLARATIONS: dict[str, dict] = {
    "one_column": {"quasi_identifiers": ["sex"]},
    "two_columns": {"quasi_identifiers": _TWO},
    "four_columns": {"quasi_identifiers": _FOUR},
    "bands": {"quasi_identifiers": ["age:band=10", {"height": {"band": 0.5}}, "paid:band=2.5", "zip:band=100"]},
    "cuts": {"quasi_identifiers": [{"age": {"cut": [18, 40, 65]}}, "height:cut=-1.5,1.50,180", "paid:cut=0,20000"]},
    "rounds": {"quasi_identifiers": ["height:round=1", "paid:round=-1", {"age": {"round": 0}}, "zip:round=2"]},
    "rounds_down": {"quasi_identifiers": ["height:round=-1", "paid:round=0"]},
    "dates": {
        "quasi_identifiers": ["born:truncate=week", "seen:truncate=hour", "weekly:truncate=day", "zip:truncate=year"]
    },
    "times": {"quasi_identifiers": ["seen:time=minute", "born:weekday", {"weekly": {"time": "hour"}}, "zip:weekday"]},
    "maps": {
        "quasi_identifiers": [
            {"sex": {"map": {"F": "f", "W": "f", "M": "m'"}}},
            {"zip": {"map": {"02139": "a"}, "else": "Other"}},
            {"stage": {"normalise": "trim+casefold"}},
            {"smoker": None},
        ]
    },
    "nfc": {"quasi_identifiers": ["stage:normalise=nfc"]},
    "min_counts": {"quasi_identifiers": ["zip:min_count=3", {"age": {"min_count": 20}}, "smoker:min_count=2"]},
    "min_counts_where": {
        "quasi_identifiers": ["sex:min_count=5", "zip:prefix=3"],
        "where": "age > 17",
        "suppressed": "*",
        "population": {**_REGISTER, "where": "age > 17"},
    },
    "excluded": {"quasi_identifiers": _FOUR, "nulls": "exclude"},
    "one_excluded": {"quasi_identifiers": ["sex"], "nulls": "exclude"},
    "suppressed": {"quasi_identifiers": _FOUR, "suppressed": "*"},
    "suppressed_excluded": {"quasi_identifiers": _TWO, "suppressed": "*", "nulls": "exclude", "sensitive": ["stage"]},
    "condition": {"quasi_identifiers": _TWO, "where": "age > 17"},
    "conditions": {"quasi_identifiers": _TWO, "where": "age > 17 OR sex = 'F'", "suppressed": "*"},
    "population": {"quasi_identifiers": _TWO, "population": _REGISTER},
    "population_of_people": {"quasi_identifiers": _FOUR, "population": _OF_PEOPLE},
    "population_excluded": {
        "quasi_identifiers": _TWO,
        "nulls": "exclude",
        "suppressed": "*",
        "where": "age > 17",
        "population": {**_OF_PEOPLE, "where": "age > 17"},
    },
    "sensitive": {"quasi_identifiers": _TWO, "sensitive": ["stage"]},
    "sensitive_of_one": {"quasi_identifiers": ["sex"], "sensitive": ["stage"], "sensitive_nulls": "ignore"},
    "sensitive_several": {
        "quasi_identifiers": _FOUR,
        "sensitive": ["stage", {"paid": "numeric"}, "zip:ordered", {"sex": {"ordered": ["F", "M"]}}, "height:numeric"],
        "nulls": "exclude",
    },
    "sensitive_population": {"quasi_identifiers": _TWO, "sensitive": ["stage:ordered"], "population": _REGISTER},
    "multiset": {"quasi_identifiers": _FOUR, "entity_id": "id"},
    "multiset_excluded": {"quasi_identifiers": ["sex"], "entity_id": "id", "nulls": "exclude", "suppressed": "*"},
    "multiset_population": {"quasi_identifiers": _TWO, "entity_id": "id", "population": _OF_PEOPLE, "nulls": "exclude"},
    "multiset_sensitive": {"quasi_identifiers": _TWO, "entity_id": "id", "sensitive": ["stage", "paid:numeric"]},
    "distinct": {"quasi_identifiers": _FOUR, "entity_id": "id", "entity_counting": "distinct"},
    "distinct_excluded": {
        "quasi_identifiers": _TWO,
        "entity_id": "id",
        "entity_counting": "distinct",
        "nulls": "exclude",
        "suppressed": "*",
    },
    "distinct_population": {
        "quasi_identifiers": _TWO,
        "entity_id": "id",
        "entity_counting": "distinct",
        "nulls": "exclude",
        "population": _REGISTER,
    },
    "distinct_population_of_people": {
        "quasi_identifiers": _TWO,
        "entity_id": "id",
        "entity_counting": "distinct",
        "population": _OF_PEOPLE,
    },
}
