"""The nice value that the program is started with is that of all its threads, where it could have others, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

from child_processes import children_of, thread_stats
from serving import Server

NICENESS = 7


def test_a_nice_engine_is_nice_in_all_threads(tmp_path: Path) -> None:
    clip = tmp_path / "a.mp4"
    source = "testsrc2=s=64x36:r=25:d=1"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, str(clip)], check=True)
    server = Server(prefix=["nice", "-n", str(NICENESS)])
    asset = server.call("asset/open", url=str(clip))["asset"]
    generator = server.call("imageGenerator/create", asset=asset)["imageGenerator"]
    server.call("imageGenerator/generateImage", imageGenerator=generator, time="1/2")
    processes = [server.process.pid, *children_of(server.process.pid)]
    found = {int(stat[16]) for process in processes for stat in thread_stats(process)}
    server.close()
    assert server.process.returncode == 0
    assert min(found) >= NICENESS, found
