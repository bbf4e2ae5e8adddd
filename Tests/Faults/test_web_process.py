"""The abilities that the process that fetches URLs has, and the ones that it lacks."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Dict

import pytest

from engine import binary
from test_device_process import PROBES
from waiting import HANG


@pytest.fixture(scope="module")
def available() -> Dict[str, bool]:
    """The restrictions that this kernel has."""
    lines = subprocess.run([binary(), "doctor", "--json"], capture_output=True, timeout=HANG).stdout.splitlines()
    findings = [json.loads(line) for line in lines]
    return {
        name: any(name in found["message"] and found["state"] == "good" for found in findings)
        for name in ("seccomp", "Landlock")
    }


@pytest.fixture
def probed(tmp_path: Path) -> Dict[str, int]:
    """By the name of each probe, 0 or the error's number."""
    library = tmp_path / "probes.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(PROBES), "-ldl"], check=True)
    (tmp_path / "a.mp4").write_bytes(b"media")
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    end = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD, 100)

    def begin() -> None:
        os.dup2(end, 3, inheritable=True)

    environment = {
        **os.environ, "LD_PRELOAD": str(library), "REELWIRE_PROBES": "-",
        "REELWIRE_PROBE_SERVER": str(tmp_path / "server"), "REELWIRE_PROBE_OWN": str(tmp_path / "own"),
        "REELWIRE_PROBE_FILE": str(tmp_path / "a.mp4"),
    }
    process = subprocess.Popen(
        [binary(), "--as-web-process"], env=environment, preexec_fn=begin, close_fds=False,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    theirs.close()
    os.close(end)
    # An incomplete request, which ends it.
    control.send(b"x")
    output, lines = process.communicate(timeout=HANG)
    control.close()
    assert process.returncode == 0 and output == b""
    return {name: int(result) for name, _, result in (line.rpartition(" ") for line in lines.decode().splitlines())}


def test_it_has_sockets_of_the_internet_and_nothing_else(probed: Dict[str, int], available: Dict[str, bool]) -> None:
    if not available["seccomp"]:
        pytest.skip("this kernel filters no system calls")
    assert probed["internet socket"] == probed["internet socket 6"] == probed["socket pair"] == 0
    for name in ("unix socket", "kernel socket", "bind", "listen", "program", "signal"):
        assert probed[name] == errno.EPERM, name


def test_it_reads_configuration_and_no_media(probed: Dict[str, int], available: Dict[str, bool]) -> None:
    if not available["Landlock"]:
        pytest.skip("this kernel restricts no files")
    assert probed["configuration"] == 0
    assert probed["file"] == errno.EACCES
    assert probed["camera"] in (errno.EACCES, errno.ENOENT)
