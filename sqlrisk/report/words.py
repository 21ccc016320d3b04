"""The words of a report that depend on what was counted: records or people, classes or shared tuples."""

from __future__ import annotations

from sqlrisk.report.figures import PEOPLE, RECORDS, Unit
from sqlrisk.result import Assessment

DEFAULT_THRESHOLD = "1/5"
NOT_A_RECOMMENDATION = "sqlrisk's default, not a recommendation"


class Words:
    """How to name what ``result`` counted, and which reasons have been given already."""

    def __init__(self, result: Assessment, default_threshold: bool) -> None:
        release = result.release
        self.people = release.entities is not None
        self.unit: Unit = PEOPLE if self.people else RECORDS
        self.counted: int = release.entities if release.entities is not None else release.records
        self.classes = result.class_sizes is not None
        self.columns = "columns listed" if release.histogram is None else "columns that were counted"
        self._default_threshold = default_threshold
        self._given: dict[str, str] = {}

    @property
    def sizes_title(self) -> str:
        """The heading over the histogram."""
        if self.classes:
            return "Class sizes"
        return "How many share a tuple" if self.people else "How many match each record"

    def no_classes(self, place: str) -> str:
        """What stands for a small class where there are no classes."""
        return f"tuples that fewer people of the {place} share" if self.people else f"fewer matches in the {place}"

    @property
    def units(self) -> str:
        """``Records`` or ``People``, to begin a label."""
        return self.unit.many.capitalize()

    def is_default(self, threshold: str) -> bool:
        """Whether nobody chose this threshold."""
        return self._default_threshold and threshold == DEFAULT_THRESHOLD

    def reason(self, reason: str, place: str) -> str:
        """``reason`` the first time, told at ``place``; after that, where it was told."""
        if reason in self._given:
            return f"for the reason given {self._given[reason]}"
        self._given[reason] = place
        return f"because {reason}"
