"""A library of 100,000 files, against mpd and beets: `python Benchmarks/library.py [--json] [--files N]`.

The files are made: a hundred to a folder, most of them empty, and one in a hundred a separate short clip or tone. They
are in the page cache. `scan` and `rescan` are of one engine, or of mpd with a separate database, or of
`beet import` without copying and without lookups; the start of the program doesn't count for the engine and mpd. Programs that are not installed are skipped.

Fetches are of the first fifty items and their values: by a predicate and an order, by text, and by all of a
folder's; also while a scan of other files runs. Each is the median of 41.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import results
from pipe import Pipe
from processes import cost

FILES = 100_000
FOLDER = 100
PRESENT = {"key": "state", "op": "in", "value": ["present", "unreadable"]}
FETCHES: Dict[str, Dict[str, Any]] = {
    "predicate and order": {
        "predicate": {"key": "duration", "op": "greaterThan", "value": 0.2},
        "sort": [{"key": "duration", "ascending": False}],
    },
    "all by size": {
        "predicate": {"all": [PRESENT, {"key": "fileSize", "op": "lessThan", "value": 10**9}]},
        "sort": [{"key": "fileSize", "ascending": False}],
    },
    "text": {"predicate": {"text": "tone7"}},
}


def make(folder: Path, count: int, start: int = 0) -> None:
    """Files of which each hundredth can be played, with contents and tags of its own."""
    tone = folder.parent / "tone.mp3"
    source = ["-f", "lavfi", "-i", "sine=duration=0.5", "-metadata", "title=A tone"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, str(tone)], check=True)
    sound = tone.read_bytes()
    for number in range(start, start + count):
        below = folder / f"{number // FOLDER:05d}"
        if number % FOLDER == 0 or not below.exists():
            below.mkdir(parents=True, exist_ok=True)
        if number % FOLDER:
            (below / f"{number}.mp3").touch()
        else:
            (below / f"tone{number}.mp3").write_bytes(sound[:-4] + number.to_bytes(4, "little"))


def seconds(body: Callable[[], Any]) -> float:
    began = time.perf_counter()
    body()
    return time.perf_counter() - began


def memory(pid: int) -> float:
    """Resident, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Engine:
    """One engine with one library."""

    def __init__(self, binary: Path, folder: Path, database: Path) -> None:
        self.pipe = Pipe(binary)
        self.library = self.pipe.call(
            "library/open", database=str(database), folders=[{"path": str(folder)}], watch=False
        )["library"]

    def scan(self) -> float:
        def body() -> None:
            end = self.pipe.call("library/scan", library=self.library, completion="response")
            assert end["result"] == "succeeded", end

        return seconds(body)

    def fetch(self, query: Dict[str, Any]) -> float:
        """In milliseconds."""

        def body() -> None:
            found = self.pipe.call("library/fetch", library=self.library, limit=50, **query)
            items = self.pipe.call("fetchResult/items", fetchResult=found["fetchResult"], count=50)
            assert items["items"], query
            self.pipe.call("handle/close", handle=found["fetchResult"])

        return statistics.median(seconds(body) * 1000 for _ in range(41))

    def memory(self) -> float:
        """The peak of all of its processes, in MB."""
        return cost(self.pipe.process.pid).memory * 1024 / 1e6


def mpd(folder: Path, work: Path) -> Optional[Dict[str, float]]:
    if not shutil.which("mpd") or not shutil.which("mpc"):
        return None
    socket = work / "mpd.socket"
    names = ("db", "log", "pid", "state")
    keys = ("db_file", "log_file", "pid_file", "state_file")
    lines = [f'{key} "{work}/mpd.{name}"' for key, name in zip(keys, names)]
    lines += [f'music_directory "{folder}"', f'bind_to_address "{socket}"']
    lines += ['audio_output {\n type "null"\n name "null"\n}']
    (work / "mpd.conf").write_text("\n".join(lines))
    environment = {**os.environ, "MPD_HOST": str(socket)}

    def mpc(*arguments: str) -> str:
        return subprocess.run(["mpc", *arguments], capture_output=True, text=True, env=environment).stdout

    command = ["mpd", "--no-daemon", str(work / "mpd.conf")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        began = time.perf_counter()
        while not socket.exists():
            time.sleep(0.01)
        # Without a database it scans automatically.
        while "Updating DB" in mpc("status"):
            time.sleep(0.02)
        first = time.perf_counter() - began
        rescan = seconds(lambda: mpc("update", "--wait"))
        return {"scan": first, "rescan": rescan, "memory": memory(process.pid)}
    finally:
        process.kill()
        process.wait()


def beets(folder: Path, work: Path) -> Optional[Dict[str, float]]:
    if not shutil.which("beet"):
        return None
    config = f"directory: {folder}\nlibrary: {work}/beets.db\nimport:\n  copy: no\n  write: no\n"
    (work / "beets.yaml").write_text(config)
    command = ["beet", "-c", str(work / "beets.yaml"), "import", "-A", "-C", "-q", str(folder)]
    environment = {**os.environ, "BEETSDIR": str(work), "HOME": str(work)}

    def run() -> None:
        subprocess.run(command, env=environment, capture_output=True)

    return {"scan": seconds(run)}


def measure(
    binary: Path, count: int, place: Path, with_peers: bool, goals: results.Report
) -> Dict[str, Dict[str, float]]:
    folder = place / "media"
    make(folder, count)
    found: Dict[str, Dict[str, float]] = {}
    engine = Engine(binary, folder, place / "library.sqlite")
    own = {"scan": engine.scan()}
    rescans = results.median(engine.scan() for _ in range(5))
    own["rescan"] = rescans.value
    fetches = {name: engine.fetch(query) for name, query in FETCHES.items()}
    own["memory"] = engine.memory()
    if count == FILES:
        goals.add("rescan", rescans)
        goals.add("library-memory", results.median([own["memory"]]))
    found["reelwire"] = own
    found["fetches, in ms"] = fetches
    other = place / "other"
    make(other, count // 2, start=count)
    engine.pipe.call("library/addFolder", library=engine.library, path=str(other))
    numbers = engine.pipe.write(
        [("library/scan", {"library": engine.library, "folder": str(other)})]
    )
    engine.pipe.read(numbers)
    time.sleep(0.2)
    found["fetches during a scan, in ms"] = {
        name: engine.fetch(query) for name, query in FETCHES.items()
    }
    engine.pipe.call("library/cancelScan", library=engine.library)
    engine.pipe.process.kill()
    if with_peers:
        for name, peer in (("mpd", mpd), ("beets", beets)):
            result = peer(folder, place)
            if result:
                found[name] = result
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/release/reelwire"))
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--no-peers", action="store_true", help="the engine alone")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    options = parser.parse_args()
    memory_disk = Path("/dev/shm")
    where = memory_disk if memory_disk.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where) as place:
        goals = results.Report(options.binary, prints=not options.json)
        found = measure(options.binary, options.files, Path(place), not options.no_peers, goals)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{options.files} files")
    for name, values in found.items():
        print(f"{name}: " + ", ".join(f"{key} {value:.2f}" for key, value in values.items()))
    for name in ("mpd", "beets"):
        if name in found:
            print(f"{name}: {found[name]['scan'] / found['reelwire']['scan']:.2f} times the first scan")


if __name__ == "__main__":
    main()
