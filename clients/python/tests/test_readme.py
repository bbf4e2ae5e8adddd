"""Every example of the README runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import HANG

ROOT = Path(__file__).parents[1]
#: The log lines of Dask on a machine that is busy.
DASK_LOG = re.compile(r"^\d{4}-.* - distributed\.\S+ - (INFO|WARNING) - .*\n", re.M)
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)


def test_there_are_examples():
    assert len(BLOCKS) == 22


@pytest.mark.parametrize("block", BLOCKS)
def test_an_example_runs(binary, rich_clip, tmp_path, block):
    (tmp_path / "clip.mp4").write_bytes(rich_clip.read_bytes())
    if "reelwire.dask" in block:
        pytest.importorskip("distributed")
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=4 * HANG,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "REELWIRE_BINARY": binary,
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            # A cluster that ends in the middle of a heartbeat logs it.
            "DASK_LOGGING__DISTRIBUTED": "critical",
        },
    )
    assert (ended.returncode, DASK_LOG.sub("", ended.stderr)) == (0, "")
    assert ended.stdout


def test_the_demo_runs(binary, clip, tmp_path):
    ended = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py"), str(clip), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=4 * HANG,
        env={**os.environ, "REELWIRE_BINARY": binary, "PYTHONIOENCODING": "utf-8"},
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "clip.mp4" in ended.stdout
    assert (tmp_path / "clip.mp4").stat().st_size > 0
    assert len(list(tmp_path.glob("sheet-*.jpg"))) == 8
