"""Several releases of the same people, linked by an id: who is alike in all of them, and which sensitive values are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlrisk.sql.coding import add_coded, add_codes, is_missing
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import Job, begin, table_names
from sqlrisk.sql.plan import check_kinds
from sqlrisk.sql.question import Missing, Question, Rows
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.sensitive import columns_of, texts_of
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named, of_source


@dataclass(frozen=True)
class Earlier:
    """An earlier release: its rows, which of this release's quasi-identifiers and sensitive columns its own are (by number,
    from 1, in their order), and the id that links it with this one, there and here."""

    rows: Rows
    keys: Sequence[int]
    sensitive: Sequence[int]
    link: str
    own_link: str
    link_kind: Kind


def composition_plan(dialect: Dialect, question: Question, earlier: Sequence[Earlier], ignores_missing: bool) -> Plan:
    """The statement that measures this release together with the ``earlier`` ones."""
    links = [
        exp.alias_(of_source(item.own_link), f"link_{number}", quoted=True)
        for number, item in enumerate(earlier, start=1)
    ]
    job = begin(dialect, question, links)
    for item in earlier:
        job.chain.reserved |= table_names(item.rows)
        check_kinds([question.release.keys[at - 1] for at in item.keys], item.rows.keys, "an earlier release")
    return _Composition(job, earlier, ignores_missing).plan()


class _Composition:
    """The steps of one statement. Release 0 is this one, called `release`; the others are `earlier_1`, ..."""

    def __init__(self, job: Job, earlier: Sequence[Earlier], ignores_missing: bool) -> None:
        self.job, self.earlier, self.ignores_missing = job, earlier, ignores_missing
        self.numbers = range(1, len(earlier) + 1)
        self.sensitive = columns_of(job.question.release.sensitive)
        # The columns of each release: keys, ids, sensitive values.
        self.columns = {0: [*job.keys, *(f"link_{number}" for number in self.numbers), *self.sensitive]}
        for number, item in zip(self.numbers, earlier, strict=True):
            keys = [job.keys[at - 1] for at in item.keys]
            self.columns[number] = [*keys, f"link_{number}", *(self.sensitive[at - 1] for at in item.sensitive)]

    def plan(self) -> Plan:
        """All of it."""
        job = self.job
        for number, item in zip(self.numbers, self.earlier, strict=True):
            self._add_earlier(number, item)
        self._add_codes()
        for number in (0, *self.numbers):
            self._add_members(number)
        arms = [*self._joint(), *(self._release(number) for number in (0, *self.numbers))]
        for at, column in enumerate(self.sensitive, start=1):
            arms += self._of_sensitive(at, column)
        return compose(job.dialect, job.chain, arms)

    def _step(self, number: int) -> str:
        return "release" if number == 0 else f"earlier_{number}"

    def _add_earlier(self, number: int, item: Earlier) -> None:
        keys = [
            exp.alias_(self.job.key_of(key), self.job.keys[at - 1], quoted=True)
            for at, key in zip(item.keys, item.rows.keys, strict=True)
        ]
        values = [
            exp.alias_(value.key.copy(), self.sensitive[at - 1], quoted=True)
            for at, value in zip(item.sensitive, item.rows.sensitive, strict=True)
        ]
        link = exp.alias_(of_source(item.link), f"link_{number}", quoted=True)
        columns = {"quasi_identifiers": keys, "entity": [], "sensitive": values, "survey": [], "tallies": [link]}
        self.job.chain.add(self._step(number), "release", columns, {"__source__": item.rows.relation.source})

    def _add_codes(self) -> None:
        """Numbers in the place of values, the same in every release that has the column."""
        job, release = self.job, self.job.question.release
        texts = {key for key, item in zip(job.keys, release.keys, strict=True) if item.kind is Kind.TEXT}
        texts |= set(texts_of(release.sensitive))
        texts |= {
            f"link_{number}"
            for number, item in zip(self.numbers, self.earlier, strict=True)
            if item.link_kind is Kind.TEXT
        }
        for column in self.columns[0]:
            sides = [self._step(number) for number, own in self.columns.items() if column in own]
            both = sides[0]
            for at, side in enumerate(sides[1:], start=1):
                name = f"all_{column}_{at}"
                reads = {"release": both, "population": side}
                job.chain.add(name, "both", {"quasi_identifiers": [named(column)]}, reads=reads)
                both = name
            add_codes(job, [column], texts, rows=both)

    def _add_members(self, number: int) -> None:
        """The measured records of one release with the number of their class: `members_0`, ..."""
        job, own = self.job, self.columns[number]
        coded = add_coded(job, self._step(number), own)
        keys = [column for column in own if column in job.keys]
        left_out = job.coded_policy.row_left_out if number == 0 else None
        if number and job.question.missing is Missing.EXCLUDE:
            left_out = exp.or_(*(is_missing(key, coded=True) for key in keys))
        measured = case([(left_out, 0)] if left_out is not None else [], 1)
        slots = {"columns": [named(column) for column in own], "measured": [measured]}
        job.chain.add(f"rows_{number}", "measured_rows", slots, reads={"release": coded})
        reads = {"composition_rows": f"rows_{number}", "composition_classes": f"classes_{number}"}
        keys_slot = {"quasi_identifiers": [named(key) for key in keys]}
        job.chain.add(
            f"classes_{number}", "composition_classes", keys_slot, reads={"composition_rows": reads["composition_rows"]}
        )
        others = {"columns": [named(column) for column in own if column not in keys]}
        job.chain.add(f"members_{number}", "composition_members", {**keys_slot, **others}, reads=reads)

    def _joint(self) -> list[exp.Query]:
        """Who is alike in every release."""
        chain, before = self.job.chain, "members_0"
        links = [f"link_{number}" for number in self.numbers]
        columns: list[exp.Expression] = [
            exp.alias_(exp.column("class_id", table="before", quoted=True), "class_0", quoted=True)
        ]
        for number in self.numbers:
            found = exp.Coalesce(this=exp.column("class_id", table="other", quoted=True), expressions=[integer(0)])
            kept = [exp.column(link, table="before", quoted=True) for link in links[number:]]
            slots = {
                "columns": [*columns, *kept],
                "earlier": [exp.alias_(found, f"class_{number}", quoted=True)],
                "link": [exp.column(links[number - 1], table="before", quoted=True)],
            }
            reads = {"composition_before": before, "composition_other": f"linked_{number}"}
            chain.add(
                f"linked_{number}",
                "composition_link",
                {"link": [named(links[number - 1])]},
                reads={"composition_members": f"members_{number}"},
            )
            before = f"joined_{number}"
            chain.add(before, "composition_linked", slots, reads=reads)
            columns = [exp.column(f"class_{at}", table="before", quoted=True) for at in range(number + 1)]
        classes = [named(f"class_{number}") for number in (0, *self.numbers)]
        chain.add("composition_joint", "composition_joint", {"classes": classes}, reads={"composition_linked": before})
        compatible = exp.and_(*(self._compatible(number) for number in self.numbers))
        chain.add("composition_candidates", "composition_candidates", {"compatible": [case([(compatible, 1)], 0)]})
        return [chain.bind("composition_sizes", {}), chain.bind("composition_compatible", {})]

    def _compatible(self, number: int) -> exp.Expression:
        own, other = (exp.column(f"class_{number}", table=table, quoted=True) for table in ("own", "other"))
        absent = exp.EQ(this=own, expression=integer(0))
        return exp.paren(exp.or_(absent, exp.EQ(this=own.copy(), expression=other)))

    def _release(self, number: int) -> exp.Query:
        """How far the ids of a release can be relied on; of this one, by its first id."""
        slots = {"release": [integer(number)], "link": [named(f"link_{max(number, 1)}")]}
        return self.job.chain.bind("composition_releases", slots, reads={"composition_members": f"members_{number}"})

    def _of_sensitive(self, at: int, column: str) -> list[exp.Query]:
        """Which values of a sensitive column are left, and what is invariant."""
        chain = self.job.chain
        numbers = [number for number, own in self.columns.items() if column in own]
        if len(numbers) == 1:
            return []
        counted = case([(is_missing(column, coded=True), 0)], 1) if self.ignores_missing else integer(1)
        for number in numbers:
            values, counts = f"values_{at}_{number}", f"counts_{at}_{number}"
            slots = {"value": [named(column)], "counted": [counted]}
            chain.add(values, "composition_values", slots, reads={"composition_members": f"members_{number}"})
            chain.add(counts, "composition_counts", {}, reads={"composition_values": values})
        known = f"signatures_{at}"
        chain.add(known, "composition_signatures", {}, reads={"composition_values": f"values_{at}_0"})
        for number in numbers[1:]:
            reads = {
                "composition_known": known,
                "composition_joint": "composition_joint",
                "composition_other": f"values_{at}_{number}",
            }
            known = f"left_{at}_{number}"
            earlier = {"earlier": [exp.column(f"class_{number}", table="joint", quoted=True)]}
            chain.add(known, "composition_left", earlier, reads=reads)
        chain.add(f"number_left_{at}", "composition_number_left", {}, reads={"composition_known": known})
        state = f"state_{at}"
        classes = [exp.column(f"class_{number}", table="joint", quoted=True) for number in numbers[1:]]
        reads = {"composition_counts": f"counts_{at}_0", "composition_number_left": f"number_left_{at}"}
        chain.add(state, "composition_state", {"classes": classes}, reads=reads)
        for number in numbers[1:]:
            columns = [exp.column(name, table="state", quoted=True) for name in chain.columns(state) if name != "same"]
            slots = {"columns": columns, "same": [_same(number)], "earlier": [_of_state(f"class_{number}")]}
            reads = {"composition_state": state, "composition_other": f"counts_{at}_{number}"}
            state = f"changed_{at}_{number}"
            chain.add(state, "composition_changed", slots, reads=reads)
        arms = [chain.bind("composition_sensitive", {"number": [integer(at)]}, reads={"composition_state": state})]
        for number in numbers:
            slots = {"number": [integer(at)], "release": [integer(number)]}
            reads = {"composition_counts": f"counts_{at}_{number}"}
            arms.append(chain.bind("composition_invariance", slots, reads=reads))
        return arms


def _of_state(column: str) -> exp.Column:
    return exp.column(column, table="state", quoted=True)


def _same(number: int) -> exp.Expression:
    """1 where it was so far, and the class in the release ``number`` has as many values as are left, and as this one has."""
    absent = exp.EQ(this=_of_state(f"class_{number}"), expression=integer(0))
    values = exp.Coalesce(this=exp.column("own_values", table="other", quoted=True), expressions=[integer(0)])
    theirs = exp.EQ(this=_of_state("left_values"), expression=values)
    ours = exp.EQ(this=_of_state("left_values"), expression=_of_state("own_values"))
    before = exp.EQ(this=_of_state("same"), expression=integer(1))
    return case([(exp.and_(before, exp.paren(exp.or_(absent, exp.and_(theirs, ours)))), 1)], 0)
