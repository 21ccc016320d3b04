"""Starts the engines that the tests run against, on a machine that has nothing but Python and pip."""

from __future__ import annotations

import os
import socket


class EngineMissing(Exception):
    """No way to start this engine works here; the message says what was tried."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def is_required(engine: str) -> bool:
    """Whether SQLRISK_REQUIRE_ENGINES (names with commas between) makes it a failure that this engine is missing."""
    return engine in os.environ.get("SQLRISK_REQUIRE_ENGINES", "").replace(" ", "").split(",")


def free_port() -> int:
    """A TCP port of this machine that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
