"""The words of a report that depend on what was counted: records or people, classes, shared tuples or matches."""

from __future__ import annotations

from sqlrisk.report.figures import CLASSES, PEOPLE, RECORDS, Unit, percent
from sqlrisk.result import Assessment, ProsecutorRisk

DEFAULT_THRESHOLD = "1/5"
NOT_A_RECOMMENDATION = "sqlrisk's default, not a recommendation"


class Words:
    """How to name what ``result`` counted, and which reasons have been given already."""

    def __init__(self, result: Assessment) -> None:
        release = result.release
        self.people = release.entities is not None
        self.unit: Unit = PEOPLE if self.people else RECORDS
        self.counted: int = release.entities if release.entities is not None else release.records
        self.classes = result.class_sizes is not None
        self.tuples = self.people and not self.classes and release.nulls != "wildcard"
        self.columns = "columns listed" if release.histogram is None else "columns that were counted"
        self._default_threshold = result.policy is not None and result.policy.default_threshold
        self._given: dict[str, str] = {}

    @property
    def sizes_title(self) -> str:
        """The heading over the histogram."""
        return self.of_kind("Class sizes", "How many share a tuple", f"How many match each {self.unit.one}")

    def of_kind(self, classes: str, tuples: str, matches: str) -> str:
        """The one of three texts that fits: people fall into classes, share tuples, or match each other."""
        if self.classes:
            return classes
        return tuples if self.tuples else matches

    @property
    def group(self) -> str:
        """Those who are alike: a class, or what stands in its place."""
        return self.of_kind("class", "tuple", "group")

    @property
    def who(self) -> str:
        """The pronoun of the unit."""
        return "who" if self.people else "that"

    def within(self, records: int, classes: int | None, share: bool = False) -> str:
        """``40 records (12 %) in 3 classes``, with the share on request, and the classes where there are any."""
        count = self.unit.count(records)
        if share and self.counted:
            count += f" ({percent(records / self.counted)})"
        return count if classes is None else f"{count} in {CLASSES.count(classes)}"

    @property
    def units(self) -> str:
        """``Records`` or ``People``, to begin a label."""
        return self.unit.many.capitalize()

    def is_default(self, threshold: str) -> bool:
        """Whether nobody chose this threshold."""
        return self._default_threshold and threshold == DEFAULT_THRESHOLD

    def threshold(self, risk: ProsecutorRisk) -> str:
        """A threshold with the classes that it means."""
        default = f"; {NOT_A_RECOMMENDATION}" if self.is_default(risk.threshold) else ""
        return f"{risk.threshold}, that is, classes smaller than {risk.classes_smaller_than:,}{default}"

    def reason(self, reason: str, place: str) -> str:
        """``reason`` the first time, told at ``place``; after that, where it was told."""
        if reason in self._given:
            return f"for the reason given {self._given[reason]}"
        self._given[reason] = place
        return f"because {reason}"
