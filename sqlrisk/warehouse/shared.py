"""Sources that several threads read at once: one connection a DuckDB file, and one door to stop everything that runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlrisk.errors import Interrupted
from sqlrisk.warehouse.base import Guards, Warehouse
from sqlrisk.warehouse.connect import Source, open_source


class SharedSources:
    """Opens a source for each job. Jobs on one DuckDB file get cursors of one connection; others a connection each.

    An open DuckDB connection of the caller's is used by one job at a time: what is registered on it, no cursor sees.
    """

    def __init__(self) -> None:
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._files: dict[str, Source] = {}
        self._running: set[Warehouse] = set()
        self._stopped = False

    @contextmanager
    def opened(self, source: Any, guards: Guards) -> Iterator[Source]:
        """The source, open within the block; :class:`Interrupted` once :meth:`stop` was called."""
        with self._turn if type(source).__name__ == "DuckDBPyConnection" else nullcontext():
            found = self._open(source, guards)
            with self._lock:
                self._running.add(found.warehouse)
                stopped = self._stopped
            try:
                if stopped:
                    raise Interrupted("interrupted", "nothing was sent")
                yield found
            finally:
                with self._lock:
                    self._running.discard(found.warehouse)
                found.warehouse.close()

    def stop(self) -> None:
        """Cancel what runs on every engine, and open nothing more."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for warehouse in running:
            warehouse.stop()

    def close(self) -> None:
        """Close the shared connections."""
        for found in self._files.values():
            found.warehouse.close()
        self._files.clear()

    def __enter__(self) -> SharedSources:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, source: Any, guards: Guards) -> Source:
        from sqlrisk.warehouse.duckdb import DuckDBWarehouse

        key = _file(source)
        if key is None:
            return open_source(source, guards)
        with self._lock:
            if key not in self._files:
                self._files[key] = open_source(source, guards)
            shared = self._files[key]
            assert isinstance(shared.warehouse, DuckDBWarehouse)
            return replace(shared, warehouse=shared.warehouse.cursor(guards))


def _file(source: Any) -> str | None:
    """The DuckDB file that is meant, by the one name that all of its spellings share."""
    from sqlrisk.warehouse.files import file_kind

    if not isinstance(source, str | Path):
        return None
    text = str(source)
    if text.startswith("duckdb:///"):
        path = Path(text.removeprefix("duckdb:///"))
    elif "://" in text:
        return None
    else:
        path = Path(text)
    if not path.is_file() or (path == Path(text) and file_kind(path) != "duckdb"):
        return None
    return str(path.resolve())
