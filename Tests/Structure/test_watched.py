"""A process that hangs is ended with the stacks of all its processes, and no other is."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from pathlib import Path

from conftest import ROOT


def watched(*command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / ".ci/watched"), *command], env={**os.environ, **variables},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_output_and_code_are_the_commands() -> None:
    ended = watched("sh", "-c", "echo one; echo two >&2; exit 3")
    assert (ended.returncode, ended.stdout) == (3, "one\ntwo\n")


def test_a_hang_is_ended(tmp_path: Path) -> None:
    # Both know no end; the first one waits for the second.
    ended = watched("sh", "-c", f"echo begun; tail -f /dev/null & echo $! > {tmp_path}/pid; wait",
                    REELWIRE_PATIENCE="0.007")
    assert ended.returncode == 124
    assert ended.stdout.startswith("begun\n") and "nothing was printed" in ended.stdout
    assert "tail -f /dev/null" in ended.stdout
    # It ends, or has ended.
    with contextlib.suppress(ProcessLookupError):
        select.select([os.pidfd_open(int((tmp_path / "pid").read_text()))], [], [])


def test_a_python_test_that_hangs_shows_its_stack(tmp_path: Path) -> None:
    test = tmp_path / "test_hang.py"
    test.write_text("import threading\n\n\ndef test_waits_for_ever():\n    threading.Event().wait()\n")
    ended = watched(sys.executable, "-m", "pytest", "-q", str(test), REELWIRE_PATIENCE="0.03")
    assert ended.returncode == 124 and "in test_waits_for_ever" in ended.stdout
    assert "_pytest" not in ended.stdout.partition("nothing was printed")[2]
