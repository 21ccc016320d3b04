"""Policies run unattended: each measured, compared with the runs before it, judged and put on record.

Jobs measure in threads of their own; the calling thread alone compares, records and owns the signals.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlrisk import __version__
from sqlrisk.assessment.assess import measure
from sqlrisk.assessment.compared import compared
from sqlrisk.assessment.judged import decided
from sqlrisk.assessment.prepare import guards_of
from sqlrisk.assessment.recorded import record_of
from sqlrisk.assessment.tasks import Task, resolve_source
from sqlrisk.errors import Interrupted, MeasurementError, RequestError, SqlriskError
from sqlrisk.history.store import History, Run, new_run_id
from sqlrisk.outcome import Outcome, skipped_after, worst
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.warehouse.shared import SharedSources

_GRACE = 10.0  # seconds that cancelled statements have to end


@dataclass(frozen=True)
class _Measured:
    """What a job hands over: a result without a verdict, or what was wrong."""

    number: int
    task: Task
    result: Assessment | None
    problem: SqlriskError | None
    seconds: float


def run_checks(
    tasks: Sequence[Task],
    source: Any = None,
    *,
    jobs: int = 1,
    fail_fast: bool = False,
    history: History | None = None,
    first_run: bool = False,
    on_done: Callable[[Task, Outcome], Outcome] = lambda _, outcome: outcome,
) -> list[Outcome]:
    """The outcome of each task, in the order of ``tasks``; a failure stops no other unless ``fail_fast``.

    At most ``jobs`` are measured at once. ``source`` stands in the place of the policies' connections. ``first_run``
    accepts that a limit on change has nothing to be compared with. ``on_done`` is called in this thread as each ends, and
    gives the outcome that counts. A KeyboardInterrupt cancels what runs on the engines, and what had ended stays on record.
    """
    outcomes: dict[int, Outcome] = {}
    failed: Outcome | None = None
    with SharedSources() as shared:
        pool = _Pool(lambda number: _measure(number, tasks[number], source, shared, history is not None))
        waiting = list(range(len(tasks)))
        try:
            while waiting or pool.running:
                while waiting and pool.running < jobs and not (fail_fast and failed):
                    pool.start(waiting.pop(0))
                if not pool.running:
                    break
                done = pool.next()
                outcome = on_done(done.task, _finished(done, history, first_run))
                outcomes[done.number] = outcome
                failed = failed or (outcome if outcome.exit_code else None)
        except KeyboardInterrupt:
            shared.stop()
            pool.wait(_GRACE)
            raise Interrupted(
                f"interrupted: {len(outcomes)} of {len(tasks)} policies were done",
                "running statements were cancelled on their engines",
            ) from None
    for number in waiting:
        task = tasks[number]
        outcomes[number] = on_done(task, skipped_after(failed, task.name, task.file))
    return [outcomes[number] for number in range(len(tasks))]


def _measure(number: int, task: Task, source: Any, shared: SharedSources, keeps: bool) -> _Measured:
    clock = time.perf_counter()
    result, problem = None, task.problem
    if task.policy is not None:
        try:
            if task.policy.limits.max_increase is not None and not keeps:
                raise RequestError(
                    "`max_increase` is about the run before, and no history is kept", "give --history FILE"
                )
            with shared.opened(resolve_source(source, task.policy), guards_of(task.policy)) as opened:
                result = measure(task.policy, opened, task.name)
        except Exception as found:
            problem = _told(found)
    return _Measured(number, task, result, problem, time.perf_counter() - clock)


def _finished(done: _Measured, history: History | None, first_run: bool) -> Outcome:
    """Compare, judge and put on record."""
    task = done.task
    is_public = task.policy is not None and task.policy.output.public
    outcome = Outcome(task.name, task.file, seconds=done.seconds, public=is_public)
    result, policy = done.result, task.policy
    if result is None or policy is None:
        problem = done.problem or MeasurementError("it could not be measured")
        outcome = replace(outcome, error=str(problem), exit_code=problem.exit_code)
    else:
        try:
            if history is not None:
                result, policy = compared(result, policy, history, first_run)
            result = decided(policy, result)
            outcome = replace(outcome, result=result, exit_code=result.exit_code)
        except Exception as found:
            problem = _told(found)
            outcome = replace(outcome, error=str(problem), exit_code=problem.exit_code)
    if history is None:
        return outcome
    try:
        history.add(_run(outcome, task.policy))
    except SqlriskError as problem:
        kept = f"it is not on record, {problem}"
        error = kept if outcome.error is None else f"{outcome.error}; {kept}"
        outcome = replace(outcome, error=error, exit_code=worst([outcome.exit_code, problem.exit_code]))
    return outcome


def _told(found: Exception) -> SqlriskError:
    """An error as one of a policy: a mistake of ours must not take the others with it."""
    if isinstance(found, SqlriskError):
        return found
    return MeasurementError(f"a mistake in sqlrisk ({type(found).__name__})", "please report it")


def _run(outcome: Outcome, policy: Policy | None) -> Run:
    result = outcome.result
    record = record_of(policy) if policy is not None else None
    started = result.started_at if result is not None else datetime.now(UTC)
    return Run(
        id=new_run_id(started),
        policy=outcome.name,
        started_at=started,
        exit_code=outcome.exit_code,
        fingerprint=record and record.fingerprint,
        definition=record.definition if record else {},
        document=None if result is None else result.to_dict(),
        error=outcome.error,
        sqlrisk_version=__version__,
    )


class _Pool:
    """Jobs in daemon threads: one that an engine never answers must not keep the process alive after Ctrl-C."""

    def __init__(self, work: Callable[[int], _Measured]) -> None:
        self._work, self.running = work, 0
        self._done: queue.SimpleQueue[_Measured] = queue.SimpleQueue()

    def start(self, number: int) -> None:
        """Measure a task in a thread of its own."""
        self.running += 1
        threading.Thread(target=lambda: self._done.put(self._work(number)), daemon=True).start()

    def next(self) -> _Measured:
        """What ended next. Waits in short steps, so that a signal reaches this thread."""
        while True:
            try:
                done = self._done.get(timeout=0.1)
            except queue.Empty:
                continue
            self.running -= 1
            return done

    def wait(self, seconds: float) -> None:
        """Wait for what runs to end, for so long at most."""
        end = time.monotonic() + seconds
        while self.running and time.monotonic() < end:
            try:
                self._done.get(timeout=0.1)
                self.running -= 1
            except queue.Empty:
                continue
