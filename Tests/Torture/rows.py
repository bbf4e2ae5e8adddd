"""The rows of the plan: their registry, the run of a row's cases, and the table of results."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))

from waiting import HANG, Hung, Stopwatch  # noqa: E402


class Failure(AssertionError):
    """A condition that must hold does not."""


class Skipped(Exception):
    """A row's means are lacking; the message names them."""


def expect(holds: object, message: str) -> None:
    if not holds:
        raise Failure(message)


@dataclass(frozen=True)
class Row:
    id: str
    what: str
    function: Callable[["Run"], None]
    isQuick: bool


REGISTRY: Dict[str, Row] = {}


def row(
    id: str, what: str, quick: bool = False
) -> Callable[[Callable[["Run"], None]], Callable[["Run"], None]]:
    """Registers a function that runs the cases of one row; `quick` rows are part of `make test`."""

    def register(function: Callable[["Run"], None]) -> Callable[["Run"], None]:
        assert id not in REGISTRY, id
        REGISTRY[id] = Row(id, what, function, quick)
        return function

    return register


def missing(id: str, what: str, reason: str) -> None:
    """Registers a row that can't be run; it is in the table with its reason."""

    @row(id, what)
    def skipped(_: "Run") -> None:
        raise Skipped(reason)


@dataclass
class Options:
    isQuick: bool = False
    seed: int = 1
    mutations: int = 1000
    requests: int = 5000
    kills: int = 200
    allocations: int = 300
    soak: float = 60
    corpus: Optional[Path] = None
    case: str = ""
    isVerbose: bool = False
    isRecording: bool = False


@dataclass
class Failed:
    case: str
    problem: str


@dataclass
class Result:
    row: Row
    cases: int = 0
    seconds: float = 0
    failed: List[Failed] = field(default_factory=list)
    skipped: str = ""
    # The number of times that each named error, or other result, has come.
    outcomes: "Counter[str]" = field(default_factory=Counter)
    notes: List[str] = field(default_factory=list)

    @property
    def passed(self) -> int:
        return self.cases - len(self.failed)


class Run:
    """The shared parts of the cases of one row: options, a folder of their own, and the place of results."""

    def __init__(self, row: Row, options: Options, folder: Path, media: Any) -> None:
        self.row = row
        self.options = options
        self.folder = folder
        self.media = media
        self.result = Result(row)
        # Closed when the row ends.
        self.resources = contextlib.ExitStack()

    def amount(self, quick: int, full: int) -> int:
        return quick if self.options.isQuick else full

    def random(self, case: str) -> random.Random:
        """Numbers that depend on the seed, the row and the case alone, so that one case can be repeated."""
        return random.Random(f"{self.options.seed} {self.row.id} {case}")

    def subfolder(self, name: str) -> Path:
        path = self.folder / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def case(self, name: str, function: Callable[..., None], *arguments: Any) -> bool:
        """Runs one case; a failure is recorded with its name, and the row continues. True if it passed."""
        if self.options.case and self.options.case not in name:
            return True
        self.result.cases += 1
        try:
            function(*arguments)
        except Skipped:
            raise
        except Hung as error:
            self._fail(name, str(error))
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            if not isinstance(error, (Failure, ConnectionError, BrokenPipeError)):
                problem += "\n" + "".join(traceback.format_exc(limit=-4))
            self._fail(name, problem)
        else:
            return True
        return False

    def _fail(self, name: str, problem: str) -> None:
        self.result.failed.append(Failed(name, problem))
        if self.options.isVerbose:
            print(f"  {self.row.id} {name}: {problem[:2000]}", file=sys.stderr, flush=True)

    def count(self, outcome: str) -> None:
        self.result.outcomes[outcome] += 1

    def note(self, text: str) -> None:
        self.result.notes.append(text)


def execute(row: Row, options: Options, folder: Path, media: Any) -> Result:
    with tempfile.TemporaryDirectory(prefix=f"{row.id}-", dir=folder) as own:
        run = Run(row, options, Path(own), media)
        watch = Stopwatch()
        try:
            with run.resources:
                row.function(run)
            if run.result.cases == 0:
                run.result.skipped = f"no case is named {options.case!r}" if options.case else "no cases"
        except Skipped as reason:
            run.result.skipped = str(reason)
        except Exception as error:
            # An error of the parts that the cases share: an engine that doesn't start, or doesn't end.
            run.result.cases += 1
            run._fail("the row itself", f"{type(error).__name__}: {error}\n" + traceback.format_exc(limit=-4))
        run.result.seconds = watch.seconds
        return run.result


def line(result: Result) -> str:
    head = f"{result.row.id:<4} {result.row.what:<72.72}"
    if result.skipped and not result.cases:
        return f"{head} skipped: {result.skipped}"
    text = f"{head} {result.cases:>6} {result.passed:>6} {result.seconds:>8.1f}"
    text += "  FAILED" if result.failed else ""
    return text + (f"  rest skipped: {result.skipped}" if result.skipped else "")


HEAD = f"{'row':<4} {'what':<72} {'cases':>6} {'passed':>6} {'seconds':>8}"


def details(result: Result, options: Options) -> Iterator[str]:
    """The notes of a row, and the commands that repeat the failures."""
    if result.outcomes:
        common = ", ".join(f"{name} {count}" for name, count in result.outcomes.most_common(12))
        yield f"       {common}"
    for note in result.notes:
        yield f"       {note}"
    for failed in result.failed[:10]:
        yield f"     - {failed.case}: {failed.problem.splitlines()[0][:300]}"
        yield f"       repeat: torture.py --rows {result.row.id} --seed {options.seed} --case '{failed.case}'"
    if len(result.failed) > 10:
        yield f"     - and {len(result.failed) - 10} more"


def selected(ids: Sequence[str], isQuick: bool) -> List[Row]:
    unknown = [id for id in ids if id not in REGISTRY]
    if unknown:
        raise SystemExit(f"no row {', '.join(unknown)}; there are {', '.join(REGISTRY)}")
    return [row for row in REGISTRY.values() if (row.id in ids if ids else row.isQuick or not isQuick)]


def command(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, text=True, timeout=HANG
    )
