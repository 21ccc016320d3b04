"""A real browser without a screen: Debian's Chromium, for what a report looks like."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from . import EngineMissing

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


@dataclass(frozen=True)
class Visit:
    """What a page did in the browser: its picture, its document afterwards, its console, and what it asked for elsewhere."""

    picture: Path
    dom: str
    console: list[str]
    requests: list[str]


class Chromium:
    """The browser of this machine. Each visit starts it anew, in a profile of its own."""

    def __init__(self, program: str) -> None:
        self.program = program

    def visit(self, page: Path, width: int, height: int, folder: Path, dark: bool = False) -> Visit:
        """Open a page in a window of this size; pictures and logs go to ``folder``."""
        name = f"{page.stem}-{width}{'-dark' if dark else ''}"
        picture, log = folder / f"{name}.png", folder / f"{name}.netlog.json"
        colours = ["--blink-settings=preferredColorScheme=0"] if dark else []
        common = [*colours, f"--window-size={width},{height}"]
        done = self._run(
            *common,
            "--enable-logging=stderr",
            "--v=0",
            f"--screenshot={picture}",
            f"--log-net-log={log}",
            page.as_uri(),
        )
        dom = self._run(*common, "--dump-dom", page.as_uri())
        console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
        return Visit(picture, dom.stdout, console, _requests(log))

    def pdf(self, page: Path, file: Path) -> None:
        """Print a page."""
        self._run("--no-pdf-header-footer", f"--print-to-pdf={file}", page.as_uri())

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            command = [self.program, *_QUIET, f"--user-data-dir={profile}", *arguments]
            return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def start() -> Chromium:
    """The browser; :class:`EngineMissing` where there is none."""
    program = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if program is None:
        raise EngineMissing("there is no chromium: `apt-get install chromium fonts-dejavu-core` brings one")
    return Chromium(program)


def _requests(log: Path) -> list[str]:
    """The addresses that the page asked for, but for files and what it holds itself. What the browser asks for on its own
    account has no origin."""
    text = log.read_text("utf-8").rstrip().rstrip(",")
    if not text.endswith("}"):  # the browser ended before it closed the list
        text += "]}"
    events = json.loads(text).get("events", [])
    parameters = [event.get("params", {}) for event in events]
    asked = {
        str(item.get("url", "")) for item in parameters if item.get("initiator", "not an origin") != "not an origin"
    }
    return sorted(url for url in asked if urlsplit(url).scheme in {"http", "https", "ws", "wss", "ftp"})
