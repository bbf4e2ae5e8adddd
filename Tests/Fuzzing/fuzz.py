#!/usr/bin/env python3
"""Builds the fuzzers and runs them, one after the other, or replays the inputs that crashed one.

    Tests/Fuzzing/fuzz.py --seconds 60                 all of them, a minute each
    Tests/Fuzzing/fuzz.py --seconds 600 Movie Index    some
    Tests/Fuzzing/fuzz.py --replay                     the files below Tests/Fuzzing/crashes

An input that crashes a fuzzer is added to those files, and the exit code is 1. Inputs that reach new code stay in
.build/fuzzing, and are where the next run begins; the log of a target's last run is there, too.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Support"))

import seeds  # noqa: E402
from waiting import Stopwatch  # noqa: E402

ROOT = HERE.parents[1]
SCRATCH = ROOT / ".build/fuzzing"
CRASHES = HERE / "crashes"

# The maximum length of an input, in bytes.
TARGETS = {
    "Framing": 4096,
    "JSON": 4096,
    "Message": 8192,
    "Timeline": 8192,
    "Movie": 32768,
    "Bitstream": 4096,
    "Index": 65536,
}
# No input needs so long; in seconds.
TIMEOUT = 20
# Of one target in one run; other failures are most likely hidden by these.
CRASH_LIMIT = 5


@dataclass
class Outcome:
    executions: int = 0
    coverage: int = 0
    crashes: int = 0
    seconds: float = 0


def environment() -> "dict[str, str]":
    env = dict(os.environ)
    env["REELWIRE_FUZZING"] = "1"
    # Swift's own handler of crashes would keep libFuzzer's from the input.
    env["SWIFT_BACKTRACE"] = "enable=no"
    env["ASAN_OPTIONS"] = "detect_leaks=0:allocator_may_return_null=1:handle_abort=2"
    return env


def build(targets: List[str]) -> None:
    # Optimized, because speed finds more; overflow and preconditions trap all the same.
    for target in targets:
        subprocess.run(
            ["swift", "build", "-c", "release", "--sanitize=address", "--scratch-path", str(SCRATCH),
             "-Xswiftc", "-enable-testing", "-Xswiftc", "-sanitize=fuzzer",
             "--product", f"{target}Fuzzer"],
            cwd=ROOT, env=environment(), check=True)


def program(target: str) -> str:
    return str(SCRATCH / "release" / f"{target}Fuzzer")


def fuzz(target: str, seconds: int, seed: int) -> Outcome:
    outcome = Outcome()
    corpus = SCRATCH / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    given = SCRATCH / "seeds" / target
    shutil.rmtree(given, ignore_errors=True)
    seeds.write(target, given, ROOT, TARGETS[target])
    watch = Stopwatch()
    while outcome.crashes < CRASH_LIMIT:
        left = int(seconds - watch.seconds)
        if left <= 0:
            break
        with tempfile.TemporaryDirectory() as folder:
            run(target, left, seed + outcome.crashes, [corpus, given], Path(folder), outcome)
            found = sorted(Path(folder).iterdir())
            for file in found:
                retain(target, file)
        if not found:
            break
        outcome.crashes += len(found)
    outcome.seconds = watch.seconds
    return outcome


def run(
    target: str, seconds: int, seed: int, folders: List[Path], artifacts: Path, outcome: Outcome
) -> None:
    command = [
        program(target), f"-max_total_time={seconds}", f"-seed={seed}",
        f"-max_len={TARGETS[target]}", f"-timeout={TIMEOUT}", "-rss_limit_mb=4096",
        "-print_final_stats=1", f"-artifact_prefix={artifacts}/",
    ]
    dictionary = SCRATCH / "seeds" / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    log = SCRATCH / f"{target}.log"
    with log.open("wb") as output:
        subprocess.run(
            ["nice", "-n", "10"] + command + [str(folder) for folder in folders],
            cwd=artifacts, env=environment(), stdout=output, stderr=subprocess.STDOUT, check=False)
    text = log.read_text("utf-8", "replace")
    outcome.executions += number(r"stat::number_of_executed_units: (\d+)", text) or 0
    outcome.coverage = max(outcome.coverage, number(r" cov: (\d+) ", text) or 0)
    report(text)


def report(log: str) -> None:
    """Prints why a fuzzer has ended, and where in the code of this project."""
    lines = log.splitlines()
    for line in lines:
        if re.search(r"Fatal error: |ERROR: (?!libFuzzer: deadly signal)", line):
            print(line[:1000], file=sys.stderr)
    frames = [line for line in lines if re.match(r"\s+#\d+ ", line) and f"{ROOT}/" in line]
    for line in frames[:8]:
        print(re.sub(r"^\s+#\d+ 0x[0-9a-f]+ in ", "  ", line).replace(f"{ROOT}/", ""), file=sys.stderr)


def number(pattern: str, text: str) -> Optional[int]:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else None


def retain(target: str, file: Path) -> None:
    folder = CRASHES / target
    folder.mkdir(parents=True, exist_ok=True)
    # crash-, timeout- or oom-, and a checksum.
    shutil.copyfile(file, folder / file.name[:20])
    print(f"{target}: {folder / file.name[:20]}", file=sys.stderr)


def replay(targets: List[str]) -> int:
    """Returns the number of inputs that once crashed a fuzzer and still do."""
    failures = 0
    for target in targets:
        files = sorted((CRASHES / target).glob("*"))
        failed = [file for file in files if not passes(target, file)]
        print(f"{target}: {len(files)} inputs, {len(failed)} crashes")
        for file in failed:
            print(f"  {file.relative_to(ROOT)}")
        failures += len(failed)
    return failures


def passes(target: str, file: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [program(target), f"-timeout={TIMEOUT}", "-rss_limit_mb=4096", str(file)],
            cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False)
    return result.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="target", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--seed", type=int, default=1, help="of libFuzzer's random numbers (1)")
    parser.add_argument("--replay", action="store_true", help="run the inputs that crashed once")
    parser.add_argument("--no-build", action="store_true", help="run what is built")
    arguments = parser.parse_args()
    targets = arguments.targets or list(TARGETS)
    unknown = [target for target in targets if target not in TARGETS]
    if unknown:
        parser.error(f"no fuzzer {', '.join(unknown)}; there are {', '.join(TARGETS)}")
    if not arguments.no_build:
        build(targets)
    if arguments.replay:
        return 1 if replay(targets) else 0
    print(f"{'target':10} {'executions':>12} {'coverage':>9} {'seconds':>8} {'crashes':>8}")
    crashes = 0
    for target in targets:
        outcome = fuzz(target, arguments.seconds, arguments.seed)
        crashes += outcome.crashes
        print(
            f"{target:10} {outcome.executions:12,} {outcome.coverage:9,} {outcome.seconds:8.0f} "
            f"{outcome.crashes:8}", flush=True)
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
