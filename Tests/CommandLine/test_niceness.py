"""The nice value that the program is started with is that of all its threads, where it could have others, too."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from child_processes import children_of, thread_stats
from conftest import BINARY

NICENESS = 7


def test_a_nice_engine_is_nice_in_all_threads(tmp_path: Path) -> None:
    clip = tmp_path / "a.mp4"
    source = "testsrc2=s=64x36:r=25:d=1"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, str(clip)], check=True)
    engine = subprocess.Popen(
        ["nice", "-n", str(NICENESS), str(BINARY), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert engine.stdin and engine.stdout
    with engine:
        for number, (method, params) in enumerate(
            [
                ("asset/open", {"url": str(clip)}),
                ("imageGenerator/create", {"asset": "asset:1"}),
                ("imageGenerator/generateImage", {"imageGenerator": "imageGenerator:1", "time": "1/2"}),
            ]
        ):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            engine.stdin.write(json.dumps(request).encode() + b"\n")
            engine.stdin.flush()
            assert "result" in json.loads(engine.stdout.readline())
        processes = [engine.pid, *children_of(engine.pid)]
        found = {int(stat[16]) for process in processes for stat in thread_stats(process)}
        engine.stdin.close()
        engine.stdout.read()
    assert engine.returncode == 0
    assert min(found) >= NICENESS, found
