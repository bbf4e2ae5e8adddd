"""Scene changes of real files, against what one sees: `python Benchmarks/scene_changes.py [--json]`.

`scene_changes.tsv` has the first frames of scenes of files of the corpus, found by eye. For each sensitivity: how many
of the scene changes that are found are there (precision), and how many of those that are there are found (recall). A
cut counts where its frame is the right one, a dissolve or a fade where the frame lies in it. FFmpeg's `scdet` filter,
at its own threshold and at others, is measured by the same list. The time is that of the whole list.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire

TRUTH = Path(__file__).with_name("scene_changes.tsv")
ROOT = Path(__file__).resolve().parents[1]


class Score(NamedTuple):
    way: str
    found: int
    right: int
    missed: int
    seconds: float
    wrong: List[str]

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def truth() -> Dict[str, List[Tuple[int, int]]]:
    """By the names of files, the frames that each scene change may be found at."""
    files: Dict[str, List[Tuple[int, int]]] = {}
    for line in TRUTH.read_text("utf-8").splitlines():
        if line.startswith(("#", "file\t")):
            continue
        name, kind, *frames = line.split("\t")
        changes = files.setdefault(name, [])
        if kind != "none":
            changes.append((int(frames[0]), int(frames[1])))
    return files


def compare(way: str, found: Dict[str, List[int]], seconds: float) -> Score:
    right = missed = 0
    wrong = []
    for name, changes in truth().items():
        frames = list(found.get(name, []))
        for first, last in changes:
            match = next((frame for frame in frames if first <= frame <= last), None)
            if match is None:
                missed += 1
                continue
            right += 1
            frames.remove(match)
        wrong += [f"{name} {frame}" for frame in frames]
    return Score(way, right + len(wrong), right, missed, seconds, wrong)


def ours(engine: reelwire.Engine, folder: Path, sensitivity: float) -> Score:
    found = {}
    begin = time.perf_counter()
    for name in truth():
        with engine.open(folder / name) as asset:
            changes = asset.scene_changes(sensitivity=sensitivity)
            found[name] = [change.sample_index for change in changes]
    return compare(f"sensitivity {sensitivity}", found, time.perf_counter() - begin)


def scdet(folder: Path, threshold: float) -> Score:
    """FFmpeg's filter; the number of a frame is its place in the output of the decoder."""
    found = {}
    begin = time.perf_counter()
    for name in truth():
        shown = f"scdet=t={threshold},metadata=print:file=-"
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(folder / name), "-map", "0:v:0"]
        command += ["-vf", shown, "-fps_mode", "passthrough", "-f", "null", "-"]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        frame = 0
        found[name] = []
        for line in lines.splitlines():
            start = re.match(r"frame:(\d+)", line)
            if start:
                frame = int(start.group(1))
            elif line.startswith("lavfi.scd.time"):
                found[name].append(frame)
    return compare(f"ffmpeg scdet={threshold}", found, time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", help="another build")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--wrong", action="store_true", help="list what is found and isn't there")
    options = parser.parse_args()
    corpus = Path(os.environ.get("REELWIRE_CORPUS", ROOT.parent / "shared" / "media")) / "video"
    if not corpus.is_dir():
        sys.exit("scene_changes.py: there is no corpus; REELWIRE_CORPUS names its folder")
    with reelwire.Engine(options.binary) as engine:
        scores = [ours(engine, corpus, each) for each in (0.25, 0.5, 0.75)]
    scores += [scdet(corpus, each) for each in (5, 10, 20)]
    if options.json:
        rows = [
            {**score._asdict(), "precision": score.precision, "recall": score.recall}
            for score in scores
        ]
        print(json.dumps(rows))
        return
    print(f"{len(truth())} files, {sum(map(len, truth().values()))} scene changes")
    print(f"{'':20} {'found':>6} {'right':>6} {'missed':>6} {'precision':>9} {'recall':>7} {'time':>8}")
    for score in scores:
        print(
            f"{score.way:20} {score.found:6} {score.right:6} {score.missed:6} "
            f"{score.precision:9.2f} {score.recall:7.2f} {score.seconds:6.1f} s"
        )
        for each in score.wrong if options.wrong else []:
            print(f"  {each}")


if __name__ == "__main__":
    main()
