"""dbt for the tests that run it: found or made once."""

from __future__ import annotations

import pytest

from tests.engines.starters import EngineMissing, dbt, is_required


@pytest.fixture(scope="session")
def dbt_command() -> list[str]:
    """The command that runs dbt; without it the tests are skipped, or fail where it is required."""
    try:
        return dbt.start()
    except EngineMissing as error:
        if is_required("dbt"):
            raise
        pytest.skip(f"dbt: {error.reason}")
