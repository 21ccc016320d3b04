"""What the whole suite shares: engines that were started are stopped."""

from __future__ import annotations

from tests.engines import contract


def pytest_sessionfinish() -> None:
    """Stop the engines of the contract."""
    contract.stop_all()
