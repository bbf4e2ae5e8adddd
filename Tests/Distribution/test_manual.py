"""The manual pages: one for each command that help lists, with names that ``man`` finds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / ".build/debug/generate-manual"
BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    command = [sys.executable, ROOT / "Distribution/manual.py", TOOL, BINARY, folder]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([str(word) for word in command], check=True, env=environment)
    return folder


def test_each_command_has_a_page(pages: Path) -> None:
    dump = subprocess.run([BINARY, "--experimental-dump-help"], check=True, capture_output=True).stdout
    commands = json.loads(dump)["command"]["subcommands"]
    shown = [each["commandName"] for each in commands if each.get("shouldDisplay", True)]
    for name in shown:
        assert (pages / f"reelwire-{name}.1").exists() == (name != "help")
    assert (pages / "reelwire-library-scan.1").exists()
    hidden = [each["commandName"] for each in commands if not each.get("shouldDisplay", True)]
    assert hidden and not any((pages / f"reelwire-{name}.1").exists() for name in hidden)


def test_a_page_names_only_pages(pages: Path) -> None:
    links = 0
    for page in pages.glob("*.1"):
        lines = page.read_text().splitlines()
        assert f".Dt {page.stem.upper()} 1" in lines
        assert f".Nm {page.stem}" in lines
        for line in lines:
            if line.startswith(".Xr "):
                links += 1
                assert (pages / f"{line.split()[1]}.1").exists(), line
    assert links > 20


def test_an_option_is_described(pages: Path) -> None:
    page = (pages / "reelwire-export.1").read_text()
    assert ".Dd November 14, 2023" in page
    assert '.Nm "reelwire export"' in page
    assert ".It Fl -crop Ar crop\nThe part of the picture to show:" in page


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc isn't installed")
def test_pages_are_well_formed(pages: Path) -> None:
    command = ["mandoc", "-T", "lint", "-W", "error", *map(str, sorted(pages.glob("*.1")))]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert ended.returncode == 0, ended.stdout
