"""Scene changes of real files, against a list made by eye: `python Benchmarks/scene_changes.py [--json]`.

`scene_changes.tsv` has the first frames of scenes of files of the corpus, found by eye. For each sensitivity: the fraction
of the found scene changes that are correct (precision), and the fraction of the listed ones that are found (recall). A
cut counts if its frame is the correct one, a dissolve or a fade if the frame is in it. FFmpeg's `scdet` filter,
at its default threshold and at others, is measured by the same list. The time is that of the whole list.

The clips of `held_out_scenes.py`, whose changes are known by construction and which no threshold was set by, are a separate list.
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

import held_out_scenes

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
    lacking: List[str]

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


#: By the paths of files, the first and the last frame that each scene change may be found at.
Truth = Dict[Path, List[Tuple[int, int]]]


def held_out(corpus: Path) -> Truth:
    """The clips that are made, in `.build/bench/scenes`."""
    folder = ROOT / ".build" / "bench" / "scenes"
    folder.mkdir(parents=True, exist_ok=True)
    clips = held_out_scenes.CLIPS
    return {held_out_scenes.make(clip, corpus, folder): clip.truth for clip in clips}


def seen(corpus: Path) -> Truth:
    """The files of the list, by which the thresholds were set."""
    files: Truth = {}
    for line in TRUTH.read_text("utf-8").splitlines():
        if line.startswith(("#", "file\t")):
            continue
        name, kind, *frames = line.split("\t")
        changes = files.setdefault(corpus / name, [])
        if kind != "none":
            changes.append((int(frames[0]), int(frames[1])))
    return files


def compare(way: str, truth: Truth, found: Dict[Path, List[int]], seconds: float) -> Score:
    right = missed = 0
    wrong: List[str] = []
    lacking: List[str] = []
    for path, changes in truth.items():
        frames = list(found.get(path, []))
        for first, last in changes:
            match = next((frame for frame in frames if first <= frame <= last), None)
            if match is None:
                missed += 1
                lacking.append(f"{path.name} {first}")
                continue
            right += 1
            frames.remove(match)
        wrong += [f"{path.name} {frame}" for frame in frames]
    return Score(way, right + len(wrong), right, missed, seconds, wrong, lacking)


def ours(engine: reelwire.Engine, truth: Truth, sensitivity: float) -> Score:
    found = {}
    begin = time.perf_counter()
    for path in truth:
        with engine.open(path) as asset:
            changes = asset.scene_changes(sensitivity=sensitivity)
            found[path] = [change.sample_index for change in changes]
    return compare(f"sensitivity {sensitivity}", truth, found, time.perf_counter() - begin)


def scdet(truth: Truth, threshold: float) -> Score:
    """FFmpeg's filter; the number of a frame is its place in the output of the decoder."""
    found = {}
    begin = time.perf_counter()
    for path in truth:
        shown = f"scdet=t={threshold},metadata=print:file=-"
        command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:v:0"]
        command += ["-vf", shown, "-fps_mode", "passthrough", "-f", "null", "-"]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        frame = 0
        found[path] = []
        for line in lines.splitlines():
            start = re.match(r"frame:(\d+)", line)
            if start:
                frame = int(start.group(1))
            elif line.startswith("lavfi.scd.time"):
                found[path].append(frame)
    return compare(f"ffmpeg scdet={threshold}", truth, found, time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", help="another build")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--wrong", action="store_true", help="list what is found and isn't there, and what is missed")
    options = parser.parse_args()
    corpus = Path(os.environ.get("REELWIRE_CORPUS", ROOT.parent / "shared" / "media")) / "video"
    if not corpus.is_dir():
        sys.exit("scene_changes.py: there is no corpus; REELWIRE_CORPUS names its folder")
    rows = []
    for name, truth in (("looked at", seen(corpus)), ("held out", held_out(corpus))):
        with reelwire.Engine(options.binary) as engine:
            scores = [ours(engine, truth, each) for each in (0.25, 0.5, 0.75)]
        scores += [scdet(truth, each) for each in (5, 10, 20)]
        rows += [
            {"set": name, **score._asdict(), "precision": score.precision, "recall": score.recall}
            for score in scores
        ]
        if not options.json:
            show(name, truth, scores, lists=options.wrong)
    if options.json:
        print(json.dumps(rows))


def show(name: str, truth: Truth, scores: List[Score], lists: bool) -> None:
    print(f"{name}: {len(truth)} files, {sum(map(len, truth.values()))} scene changes")
    print(f"{'':20} {'found':>6} {'right':>6} {'missed':>6} {'precision':>9} {'recall':>7} {'time':>8}")
    for score in scores:
        print(
            f"{score.way:20} {score.found:6} {score.right:6} {score.missed:6} "
            f"{score.precision:9.2f} {score.recall:7.2f} {score.seconds:6.1f} s"
        )
        for each in score.wrong if lists else []:
            print(f"  + {each}")
        for each in score.lacking if lists else []:
            print(f"  - {each}")


if __name__ == "__main__":
    main()
