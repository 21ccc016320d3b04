"""What became of one policy of a check."""

from __future__ import annotations

from dataclasses import dataclass

from sqlrisk.result import Assessment


@dataclass(frozen=True)
class Outcome:
    """A policy that was run, that could not be, or that was not started (``skipped`` says why).

    ``exit_code`` is 0, 1, 2 or 3 as of a single assessment, ``error`` the one line where there is no result, or where the
    result could not be kept; ``seconds`` is wall-clock time. A ``public``
    outcome is told as its policy wants it: fit to leave the house.
    """

    name: str
    file: str
    result: Assessment | None = None
    error: str | None = None
    exit_code: int = 0
    seconds: float = 0.0
    skipped: str | None = None
    public: bool = False

    @property
    def word(self) -> str:
        """The outcome in a word or a few."""
        if self.skipped is not None:
            return "skipped"
        if self.error is not None or self.result is None:
            return "NOT MEASURED" if self.exit_code == 3 else "ERROR"
        verdict = self.result.verdict
        if verdict.passed is None:
            return "not judged"
        if not verdict.passed:
            return "FAILED" if self.exit_code == 1 else "NOT MEASURED"
        return "passed" if verdict.justification else "within limits, not a pass: no justification"


def skipped_after(failed: Outcome | None, name: str, file: str) -> Outcome:
    """A policy that was not started, because ``failed`` ended the run."""
    return Outcome(name, file, skipped=f"after `{failed.name}` (--fail-fast)" if failed else "")


def worst(codes: list[int]) -> int:
    """The exit code of several runs: an interrupt, then 2 before 3 before 1 before 0."""
    return next((code for code in (130, 2, 3, 1) if code in codes), 0)
