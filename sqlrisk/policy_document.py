"""A policy before validation: read from YAML with its lines, overridden by options, expanded from the environment.

The command line, a policy file and Python all end here; what is wrong is said with the place where it was written.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from sqlrisk.errors import RequestError, nearest
from sqlrisk.policy import ATTACKERS, KEYS, LATER, SENSITIVE_LIMITS, Policy, Release
from sqlrisk.policy_commands import OF_COMMANDS
from sqlrisk.policy_profile import with_profile

LARGEST_FILE = 1_000_000
LARGEST_DOCUMENT = 20_000  # nodes, with aliases written out


# Ways to say how large the population is, as options; and what only a population table has.
_POPULATIONS = ("population_size", "sampling_fraction", "population_table", "population_model")
_ABOUT_THE_POPULATION = ("max_population_uniques", "min_k_map", "max_delta_presence")
_OF_A_TABLE = ("columns", "where", "entity_id")


class _Loader(yaml.SafeLoader):
    """Dates stay text, so that an impossible one is an error of its key, with its line."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class Document:
    """A policy before validation: plain values, and where each of them was written."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins: dict[tuple, str] = {}
        self.folder: Path | None = None
        self.label = ""
        self.name = ""  # of the policy, on the record
        self._expanded: set[tuple] = set()
        self._named: list[str] | None = None

    @classmethod
    def read(cls, path: str | Path) -> Document:
        """Read a YAML file; :class:`RequestError` naming file and line for what is no policy at all."""
        document = cls()
        file = Path(path)
        document.folder, document.label, document.name = file.parent, file.name, file.stem
        try:
            with file.open("rb") as opened:
                data = opened.read(LARGEST_FILE + 1)
            if len(data) > LARGEST_FILE:
                raise RequestError(f"{file} is larger than a policy can be", "give a policy file of under a megabyte")
            text = data.decode("utf-8-sig")
        except FileNotFoundError:
            raise RequestError(f"there is no policy file {file}", "check the path") from None
        except UnicodeDecodeError:
            raise RequestError(f"{file} is not UTF-8 text", "save it as UTF-8") from None
        except (OSError, ValueError) as problem:
            why = getattr(problem, "strerror", None) or "it is no path"
            raise RequestError(
                f"{str(file)[:200]} cannot be read ({why})", "check the path and its permissions"
            ) from None
        try:
            loader = _Loader(text)
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise RequestError(f"{file.name} is not a policy", "begin it with `version: 1`")
            document._note_lines(node, ())
            document.values = loader.construct_document(node)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
            mark = getattr(problem, "problem_mark", None)
            where = f"{file.name}, line {mark.line + 1}" if mark else file.name
            raise RequestError(f"{where}: not valid YAML", getattr(problem, "problem", None) or "check it") from None
        return document

    def _note_lines(self, node: yaml.Node, path: tuple) -> None:
        if len(self.origins) > LARGEST_DOCUMENT or len(path) > 30:
            raise RequestError(f"{self.label} is too large for a policy", "take out its repeated parts")
        self.origins[path] = f"{self.label}, line {node.start_mark.line + 1}"
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._note_lines(item, (*path, index))
        elif isinstance(node, yaml.MappingNode):
            seen = set()
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise RequestError(
                        f"{self.label}, line {key.start_mark.line + 1}: a key is not a text", "write `key: value`"
                    )
                if key.value in seen:
                    raise RequestError(f"{self.label}, line {key.start_mark.line + 1}: `{key.value}` stands twice")
                seen.add(key.value)
                self._note_lines(value, (*path, key.value))
                self.origins[(*path, key.value)] = f"{self.label}, line {key.start_mark.line + 1}"

    def releases(self) -> list[Document]:
        """A policy for each item of `releases`, with what it does not say itself from the top; without such items, itself.

        :class:`RequestError` for an item that is no release, and for two of one name.
        """
        if "releases" not in self.values:
            return [self]
        if (name := self._text(self.values, "name", ())) is not None:
            self.name = name
        items = self.values["releases"]
        if not isinstance(items, list) or not items or not all(isinstance(item, dict) for item in items):
            raise RequestError(
                f"{self.origin(('releases',))}: `releases` is not a list of releases", "write `- table: …` for each"
            )
        made = [self._release(item, index) for index, item in enumerate(items)]
        names = [document.name for document in made]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise RequestError(
                    f"{self.origin(('releases', index))}: two releases are called `{name}`",
                    "give each a `name` of its own",
                )
        return made

    def _release(self, item: Mapping[str, Any], index: int) -> Document:
        """The policy of one item of `releases`."""
        made = copy.deepcopy(self)
        made.values.pop("releases")
        made.values.pop("name", None)
        top = set(Policy.model_fields) - {"version", "release"}
        for key, value in item.items():
            if key not in Release.model_fields and key not in top:
                raise RequestError(
                    f"{self.origin(('releases', index, key))}: `{key}` is not a key of a release",
                    nearest(str(key), [*Release.model_fields, *sorted(top)]),
                )
            path = ("release", key) if key in Release.model_fields else (key,)
            if path == ("population",) and isinstance(value, Mapping):
                ways = {f"population_{way}" if way != "sampling_fraction" else way for way in value}
                made._replace_population(dict.fromkeys(ways))
            made._drop_other(key)
            made._lay(path, value, ("releases", index, key))
        at = ("releases", index)
        own = self._text(item, "name", at) or self._text(item, "table", at) or str(index + 1)
        made.name = made.values["name"] = f"{self.name}/{own}"
        return made

    def _text(self, section: Mapping[str, Any], key: str, at: tuple) -> str | None:
        """The text at ``key`` with its variables, or None; :class:`RequestError` for anything else."""
        value = section.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise RequestError(f"{self.origin((*at, key))}: `{key}` is no text", "write it in quotes, or leave it out")
        return expand_variables(value, self.origin((*at, key)))

    def _lay(self, path: tuple, value: Any, origin: tuple) -> None:
        """Put a value over what is inherited at ``path``: mappings key by key, anything else whole."""
        parent: Any = self.values
        for key in path[:-1]:
            if not isinstance(parent.get(key), dict):
                parent[key] = {}
            parent = parent[key]
        before = parent.get(path[-1])
        if isinstance(value, Mapping) and isinstance(before, dict) and before:
            for key, item in value.items():
                self._lay((*path, key), item, (*origin, key))
            return
        parent[path[-1]] = value
        moved = {path + at[len(origin) :]: text for at, text in self.origins.items() if at[: len(origin)] == origin}
        kept = {at: text for at, text in self.origins.items() if at[: len(path)] != path}
        self.origins = {**kept, **moved}

    def _drop_other(self, name: str) -> None:
        """A table takes the place of a query, and a query that of a table."""
        other = {"query": "table", "table": "query"}.get(name)
        if other and isinstance(self.values.get("release"), dict):
            self.values["release"].pop(other, None)

    def set(self, path: str, value: object, origin: str) -> None:
        """Put ``value`` at a dotted ``path``, overriding what stands there; ``origin`` names it in errors."""
        keys = path.split(".")
        section = self.values
        for key in keys[:-1]:
            if not isinstance(section.get(key), dict):
                section[key] = {}
            section = section[key]
        section[keys[-1]] = value
        self.origins = {at: text for at, text in self.origins.items() if at[: len(keys)] != tuple(keys)}
        self.origins[tuple(keys)] = origin

    def override(self, options: Mapping[str, object], spell=lambda name: name, command: str | None = None) -> None:
        """Apply options by the names of :data:`KEYS`, and of those that ``command`` alone has; None means not given.
        ``spell`` names an option in errors."""
        keys = {**KEYS, **OF_COMMANDS.get(command or "", {})}
        given = {name: value for name, value in options.items() if value is not None}
        for name in ("quasi_identifiers", "sensitive", "attackers"):
            if isinstance(given.get(name), str):
                given[name] = [given[name]]
        if unknown := set(given) - set(keys):
            raise RequestError(f"there is no option `{min(unknown)}`", nearest(min(unknown), list(keys)))
        self._link_previous(given, spell)
        if "attackers" in given:
            self._name_attackers(list(given.pop("attackers")), spell("attackers"))
        if "threshold" in given:
            for attacker in self._attackers().values():
                if isinstance(attacker, dict):
                    attacker.pop("threshold", None)
        for other, name in (("query", "table"), ("table", "query")):
            if name in given and other not in given:
                self._drop_other(name)
        self._replace_population(given)
        for name, value in given.items():
            if "*" in keys[name]:
                self._limit_attackers(keys[name], value, spell(name))
            else:
                self.set(keys[name], value, spell(name))

    def _link_previous(self, given: dict[str, object], spell) -> None:
        """Earlier releases, each a table, with one link id for all of them or one for each, in their order; or as a policy
        has them."""
        tables, links = given.pop("previous", None), given.pop("link_id", None)
        tables = [tables] if isinstance(tables, str | Path | Mapping) else list(tables or ())
        links = [links] if isinstance(links, str) else list(links or ())
        if tables and all(isinstance(item, Mapping) for item in tables) and not links:
            self.set(KEYS["previous"], [dict(item) for item in tables], spell("previous"))
            return
        if not tables and not links:
            return
        if not links or not tables:
            missing, given_ = ("link_id", "previous") if tables else ("previous", "link_id")
            raise RequestError(
                f"{spell(given_)} needs {spell(missing)} too", "name a table and the column that links its records"
            )
        if len(links) not in (1, len(tables)):
            raise RequestError(
                f"{spell('link_id')} is given {len(links)} times, and {spell('previous')} {len(tables)} times",
                "give one for all, or one for each, in their order",
            )
        pairs = zip(tables, links * len(tables) if len(links) == 1 else links, strict=True)
        listed = [{"table": str(table), "link_id": link} for table, link in pairs]
        self.set(KEYS["previous"], listed, spell("previous"))

    def _replace_population(self, given: Mapping[str, object]) -> None:
        """One way to know the population takes the place of the policy's."""
        section = self.values.get("population")
        if isinstance(section, dict) and any(name in given for name in _POPULATIONS):
            # A model is multiplied by the size, so a size alone leaves it; and a model leaves the size.
            if any(name != "population_model" and name in given for name in _POPULATIONS):
                for key in ("size", "sampling_fraction"):
                    section.pop(key, None)
            if "population_table" in given or "population_model" in given:
                section.pop("model", None)
            if "population_table" not in given:
                for key in ("table", *_OF_A_TABLE):
                    section.pop(key, None)

    def _attackers(self) -> dict[str, Any]:
        section = self.values.get("attackers")
        return section if isinstance(section, dict) else {}

    def _name_attackers(self, names: list[str], origin: str) -> None:
        for name in names:
            if name not in ATTACKERS:
                raise RequestError(f"{origin}: there is no attacker `{name}`", nearest(name, list(ATTACKERS)))
        self._named = names
        kept = {name: self._attackers().get(name) or {} for name in names}
        journalist = self._attackers().get("journalist")
        if "journalist" not in kept and isinstance(journalist, dict) and "estimator" in journalist:
            kept["journalist"] = {"estimator": journalist["estimator"]}
        self.values["attackers"] = kept
        self.origins[("attackers",)] = origin

    def _limit_attackers(self, key: str, value: object, origin: str) -> None:
        limit = key.rsplit(".", 1)[1]
        named = self._named or [name for name, attacker in self._attackers().items() if _names(attacker)]
        if not named:
            raise RequestError(
                f"{origin} needs an attacker: whose risk may not exceed it?",
                "add --attacker prosecutor, journalist or marketer",
            )
        able = [name for name in named if name != "marketer" or limit == "max_average_risk"]
        if not able:
            raise RequestError(f"{origin} does not apply to a marketer", "a marketer has only --max-average-risk")
        for name in able:
            self.set(f"attackers.{name}.{limit}", value, origin)

    def validate(self) -> Policy:
        """The policy; :class:`RequestError` for the first thing that is wrong, naming where it stands."""
        self._expand(self.values, ())
        # A section with nothing behind its colon says nothing.
        sections = {key for key, field in Policy.model_fields.items() if field.default_factory is not None}
        self.values = {key: value for key, value in self.values.items() if value is not None or key not in sections}
        # `marketer:` with nothing behind it names the attacker.
        for name, attacker in self._attackers().items():
            if attacker is None:
                self.values["attackers"][name] = {}
        try:
            policy = Policy.model_validate(self.values, context={"folder": self.folder})
        except ValidationError as problem:
            raise self._explain(problem.errors()[0]) from None
        self._refuse_later(policy)
        if policy.release.table is not None and policy.release.query is not None:
            raise RequestError(
                f"{self.origin(('release', 'query'))}: both a table and a query are given", "give one of them"
            )
        self._check_population(policy)
        self._check_sensitive(policy)
        self._check_context(policy)
        if policy.measure_only and policy.has_limits:
            raise RequestError(
                f"{self.origin(('measure_only',))}: `measure_only` is for a policy that judges nothing, and there are limits",
                "take out one or the other",
            )
        if policy.release.household is not None and policy.release.weight is None:
            raise RequestError(
                f"{self.origin(('release', 'household'))}: household risk is measured from survey weights",
                "give --weight too",
            )
        if policy.release.household is not None and policy.release.household == policy.release.weight:
            raise RequestError(
                f"{self.origin(('release', 'household'))}: the weight and the household are the same column",
                "name the column that says which records are one household",
            )
        if policy.name is None and self.name:
            policy = policy.model_copy(update={"name": self.name})
        try:
            return with_profile(policy)
        except RequestError as problem:
            raise RequestError(f"{self.origin(('profile',))}: {problem.cause}", problem.remedy) from None

    def _check_population(self, policy: Policy) -> None:
        ways = [key for key in ("size", "sampling_fraction", "table") if getattr(policy.population, key) is not None]
        if len(ways) > 1:
            raise RequestError(
                f"{self.origin(('population', ways[1]))}: the population is given twice ({' and '.join(ways)})",
                "give its size, the sampling fraction or a table (a model takes one of the first two)",
            )
        fractions = policy.population.sampling_fraction or ()
        if policy.population.model is not None and policy.population.table is not None:
            raise RequestError(
                f"{self.origin(('population', 'model'))}: a population model and a population table are given",
                "give one of them",
            )
        about = [section for name in ("journalist", "marketer") if (section := getattr(policy.attackers, name))]
        limits = [value for section in about for name, value in section if name.startswith("max_")]
        limits += [getattr(policy.limits, name) for name in _ABOUT_THE_POPULATION]
        if len(fractions) > 1 and any(limit is not None for limit in limits):
            raise RequestError(
                f"{self.origin(('population', 'sampling_fraction'))}: limits are judged at one sampling fraction",
                "give one, or leave the limits out",
            )
        for key in _OF_A_TABLE:
            if policy.population.table is None and getattr(policy.population, key):
                raise RequestError(
                    f"{self.origin(('population', key))}: `{key}` describes the population table",
                    "give `table` too (--population-table)",
                )

    def _refuse_wildcard(self, policy: Policy) -> None:
        """What is not measured where a missing value matches anything."""
        if policy.release.nulls == "wildcard" and policy.release.entity_id is not None:
            raise RequestError(
                f"{self.origin(('release', 'nulls'))}: `wildcard` is not measured with several rows a person, whose rows would "
                "have to be matched one to one",
                "use `value` (a missing value is a value) or `exclude`",
            )

    def _check_sensitive(self, policy: Policy) -> None:
        seen: set[str] = set()
        for index, item in enumerate(policy.release.sensitive):
            if item.column in seen:
                raise RequestError(
                    f"{self.origin(('release', 'sensitive', index))}: the sensitive column `{item.column}` is given twice",
                    "give each column once",
                )
            seen.add(item.column)
        for name in (*SENSITIVE_LIMITS, "recursive_l"):
            if getattr(policy.limits, name) is not None and not policy.release.sensitive:
                raise RequestError(
                    f"{self.origin(('limits', name))}: `{name}` is about sensitive columns, and none is given",
                    "name them under `sensitive` of the release (--sensitive)",
                )

    def _check_context(self, policy: Policy) -> None:
        context = policy.context
        if not context.model_fields_set:
            return
        origin = self.origin(("context",))
        if not context.attempts:
            raise RequestError(
                f"{origin}: `context` gives no probability of an attempt",
                "give `deliberate`, `prevalence`, `breach` or `public: true`",
            )
        if context.justification is None:
            raise RequestError(
                f"{origin}: an adjusted figure needs a justification",
                "say in `context.justification` where they are from",
            )

    def check_described(self, policy: Policy) -> None:
        """A verdict against a journalist, from a policy file, needs to say which population it is about."""
        journalist = policy.attackers.journalist
        limits = [
            getattr(journalist, f"max_{name}", None) for name in ("highest_risk", "average_risk", "share_at_risk")
        ]
        absent = [key for key in ("description", "source", "as_of") if getattr(policy.population, key) is None]
        if absent and any(limit is not None for limit in limits):
            raise RequestError(
                f"{self.origin(('attackers', 'journalist'))}: a verdict against a journalist needs `population.{absent[0]}`",
                "say which population it is, from where, and of when",
            )

    def origin(self, path: tuple) -> str:
        """Where the value at ``path`` was written, or the nearest thing around it."""
        while path and path not in self.origins:
            path = path[:-1]
        return self.origins.get(path, self.label)

    def _expand(self, value: Any, path: tuple) -> Any:
        if path == ("connection",):
            return value  # expanded when it is used: a SOURCE can stand in its place
        if isinstance(value, str):
            expanded = expand_variables(value, self.origin(path))
            if expanded != value:
                self._expanded.add(path)
            return expanded
        if isinstance(value, dict):
            for key in value:
                value[key] = self._expand(value[key], (*path, key))
        elif isinstance(value, list):
            value[:] = [self._expand(item, (*path, index)) for index, item in enumerate(value)]
        return value

    def _explain(self, error: Mapping[str, Any]) -> RequestError:
        path = tuple(error["loc"])
        origin = self.origin(path)
        key = ".".join(str(part) for part in path if not isinstance(part, int))
        key = "…" if "://" in key else key
        where = f"{origin}: `{key}`" if key and not origin.startswith("--") else origin or key or "the policy"
        if error["type"] == "extra_forbidden":
            return RequestError(f"{where} is not a key of a policy", nearest(str(path[-1]), _known_keys(path[:-1])))
        # What came from the environment is not shown: it can be a password in the wrong place.
        from_environment = any(path[: len(at)] == at or at[: len(path)] == path for at in self._expanded)
        message = str(error["msg"]).removeprefix("Value error, ")
        if from_environment:
            message = "the value that the environment gives is not valid here"
        secret = path[:1] == ("connection",) or from_environment or "://" in str(error["input"])
        shown = "" if secret or error["type"] in {"value_error", "missing"} else f" (`{error['input']}`)"
        return RequestError(f"{where}: {message[0].lower() + message[1:]}{shown}")

    def _refuse_later(self, policy: Policy) -> None:
        for key, what in LATER.items():
            section: Any = policy
            *parents, last = key.split(".")
            for parent in parents:
                section = getattr(section, parent) if section is not None else None
            if (
                section is not None
                and last in section.model_fields_set
                and getattr(section, last) not in (None, False, [], {})
            ):
                raise RequestError(
                    f"{self.origin(tuple(key.split('.'))) or 'the policy'}: `{key}` is part of the policy format, "
                    f"but this version of sqlrisk does not measure it yet ({what})",
                    "take it out to go on without it",
                )
        self._refuse_wildcard(policy)


def _names(attacker: object) -> bool:
    """Whether a section of `attackers` names one: an estimator alone does not."""
    return not (isinstance(attacker, dict) and set(attacker) == {"estimator"})


def expand_variables(text: str, where: str) -> str:
    """``text`` with ``${NAME}`` taken from the environment; :class:`RequestError` for a variable that is not set."""

    def value(match: re.Match) -> str:
        if match[1] not in os.environ:
            raise RequestError(f"{where}: the environment has no variable {match[1]}", f"set {match[1]}")
        return os.environ[match[1]]

    return re.sub(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", value, text)


def _known_keys(path: tuple) -> list[str]:
    model: Any = Policy
    for part in path:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        candidates = getattr(annotation, "__args__", (annotation,))
        model = next((item for item in candidates if isinstance(item, type) and issubclass(item, BaseModel)), None)
        if model is None:
            return []
    return list(model.model_fields)
