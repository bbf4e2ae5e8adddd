"""Runs the attack plan against the engine, row by row, with fixed seeds, and prints a table.

    python Tests/Torture/torture.py --quick
    python Tests/Torture/torture.py --rows H1,C1 --seed 7 --arguments=--no-isolation

The program under test is that of REELWIRE_BINARY, or the one that was built last; REELWIRE_SERVE_ARGUMENTS
or --arguments are added to `serve`. The exit code is 1 when a case has failed. A row whose means are
lacking is skipped, and the table states why.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import List, Optional, Sequence

import rows
from rows import HEAD, Options, Result
from waiting import Stopwatch

import server

import allocations  # noqa: F401  (the families register their rows)
import channel  # noqa: F401
import damaged_inputs  # noqa: F401
import deaths  # noqa: F401
import handles  # noqa: F401
import hostile_content  # noqa: F401
import hostile_inputs  # noqa: F401
import hostile_paths  # noqa: F401
import life_cycle  # noqa: F401
import outputs  # noqa: F401
import request_fuzzing  # noqa: F401
import resource_faults  # noqa: F401
import soak  # noqa: F401
import strain  # noqa: F401
from engine import CORPUS, binary
from media import Media, has


def run(options: Options, ids: Sequence[str] = ()) -> List[Result]:
    """Runs the rows, printing each when it has ended."""
    results = []
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        folder = Path(name)
        media = Media(folder / "media", options.corpus)
        print(HEAD, flush=True)
        for row in rows.selected(ids, options.isQuick):
            result = rows.execute(row, options, folder, media)
            results.append(result)
            print(rows.line(result), flush=True)
            for detail in rows.details(result, options) if options.isVerbose or result.failed else ():
                print(detail, flush=True)
    return results


def summary(results: Sequence[Result], seconds: float) -> str:
    cases = sum(result.cases for result in results)
    failed = sum(len(result.failed) for result in results)
    skipped = sum(1 for result in results if result.skipped and not result.cases)
    return f"{len(results)} rows, {skipped} of them skipped; {cases} cases, {failed} failed; {seconds:.0f} s"


def parse(arguments: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="the cheap rows, with few cases each")
    parser.add_argument("--rows", default="", help="these alone, separated by commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", default="", help="only cases whose name contains this")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="how long S4 lasts (60; quick 2)")
    parser.add_argument("--files", type=Path, default=CORPUS, metavar="FOLDER", help="the corpus")
    parser.add_argument("--arguments", help="more arguments for serve, such as --no-isolation")
    parser.add_argument("--mutations", type=int, help="of H16 (1000; quick 20)")
    parser.add_argument("--requests", type=int, help="of C6 (5000; quick 300)")
    parser.add_argument("--kills", type=int, help="of C14 (200; quick 5)")
    parser.add_argument("--allocations", type=int, help="of R1 (300; quick 10)")
    parser.add_argument("--record", action="store_true", help="store the outcomes of H1 as what is expected")
    parser.add_argument("--verbose", action="store_true", help="outcomes by name, and notes")
    parser.add_argument("--list", action="store_true", help="print the rows")
    return parser.parse_args(arguments)


def options_of(parsed: argparse.Namespace) -> Options:
    def amount(given: Optional[float], quick: float, full: float) -> float:
        return given if given is not None else (quick if parsed.quick else full)

    return Options(
        isQuick=parsed.quick,
        seed=parsed.seed,
        mutations=int(amount(parsed.mutations, 20, 1000)),
        requests=int(amount(parsed.requests, 300, 5000)),
        kills=int(amount(parsed.kills, 5, 200)),
        allocations=int(amount(parsed.allocations, 10, 300)),
        soak=amount(parsed.soak, 2, 600),
        corpus=parsed.files,
        case=parsed.case,
        isVerbose=parsed.verbose,
        isRecording=parsed.record,
    )


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parsed = parse(arguments)
    if parsed.list:
        for row in rows.REGISTRY.values():
            print(f"{row.id:<4} {'quick' if row.isQuick else '':<6} {row.what}")
        return 0
    if parsed.arguments is not None:
        os.environ["REELWIRE_SERVE_ARGUMENTS"] = parsed.arguments
    lacking = has("ffmpeg", "cc")
    if sys.platform != "linux" or lacking:
        print(f"skipped: needs Linux, ffmpeg and a C compiler; missing: {', '.join(lacking)}")
        return 0
    print(f"{binary()} serve {' '.join(server.serve_arguments())}".rstrip() + f", seed {parsed.seed}")
    watch = Stopwatch()
    ids = [id for id in parsed.rows.split(",") if id]
    results = run(options_of(parsed), ids)
    print(summary(results, watch.seconds))
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
