"""Journalist and marketer risk where the population's class sizes are known.

Sources: El Emam & Dankar (2008); Dankar & El Emam (2010). The prosecutor needs the release alone and is a method of
:class:`sqlrisk.class_sizes.ClassSizes`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sqlrisk.class_sizes import JointRecordSizes, JointSizes, RecordRisk, record_risk
from sqlrisk.threshold import Threshold


@dataclass(frozen=True)
class MarketerRisk:
    """The share of the release's records that an attacker who matches all of them gets right, and their number."""

    average_risk: float | None
    expected_matches: float | None


def journalist(joint: JointSizes | JointRecordSizes, threshold: Threshold) -> RecordRisk:
    """Risk against an attacker who does not know whether the target is in the release: 1/F for each record.

    F is the size of the record's class in the population. The average is the published maximum of ``u / sum F`` and
    ``(1/n) sum s/F``, not a mean over records; where people do not fall into classes it is the mean of 1/F.
    """
    risk = record_risk(_population_sizes(joint), threshold)
    if isinstance(joint, JointRecordSizes) or risk.average_risk is None:
        return risk
    classes = joint.corrected
    over_classes = sum(count for _, _, count in classes) / sum(f * count for _, f, count in classes)
    return replace(
        risk,
        average_risk=max(over_classes, risk.average_risk),
        classes_at_risk=sum(count for _, f, count in classes if threshold.at_risk(f)),
    )


def marketer(joint: JointSizes | JointRecordSizes) -> MarketerRisk:
    """The expected share of records matched right, ``(1/n) sum s/F``, and the expected number of them."""
    sizes = _population_sizes(joint)
    n = sum(records for _, records in sizes)
    if n == 0:
        return MarketerRisk(None, None)
    expected = math.fsum(records / f for f, records in sizes)
    return MarketerRisk(expected / n, expected)


def _population_sizes(joint: JointSizes | JointRecordSizes) -> list[tuple[int, int]]:
    """(F, records of the release) pairs."""
    partition = isinstance(joint, JointSizes)
    return [(f, s * count if partition else count) for s, f, count in joint.corrected]
