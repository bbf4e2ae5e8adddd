"""The goals of the benchmarks, by which scripts mark their figures and `table.py` makes its table: `goals.tsv`.

A bound in × is that of a quotient. "≤" bounds the engine's share of its peer's cost, or of the floor's, and "≥" the
cost of the peer as a multiple of the engine's: the engine's speed as a multiple of the peer's.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("goals.tsv")
COLUMNS = ["goal", "script", "job", "peer", "measure", "bound", "quoted"]


@dataclass(frozen=True)
class Goal:
    """A bound of a figure that a script measures."""

    key: str
    script: str
    job: str
    #: The compared program; empty if the script names it, or if nothing is compared.
    peer: str
    #: The measured quantity.
    measure: str
    #: "≤" or "≥".
    relation: str
    bound: float
    #: "×" for quotients; empty for slopes.
    unit: str
    #: True if the README quotes it.
    isQuoted: bool

    def holds(self, value: float) -> bool:
        """True if a figure meets the goal."""
        return value >= self.bound if self.relation == "≥" else value <= self.bound

    @property
    def dependsOnLoad(self) -> bool:
        """True if other programs on the machine make the figure worse: times, and frames that are dropped."""
        return self.unit in ("s", "ms", "µs", "frames")

    def number(self, value: float) -> str:
        """A figure with the digits that it is quoted with."""
        if self.unit in ("×", "s", ""):
            return f"{value:.2f}"
        return f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"

    def amount(self, value: float) -> str:
        """A figure with its unit."""
        return f"{self.number(value)} {self.unit}".rstrip()

    @property
    def aim(self) -> str:
        """The bound as text."""
        return f"{self.relation} {self.bound:g} {self.unit}".rstrip()


def parsed(text: str) -> dict[str, Goal]:
    """The goals of a table by their keys."""
    rows = list(csv.reader(text.splitlines(), delimiter="\t"))
    if rows[0] != COLUMNS:
        raise ValueError(f"the columns are {rows[0]}, and should be {COLUMNS}")
    found: dict[str, Goal] = {}
    for row in rows[1:]:
        if len(row) != len(COLUMNS):
            raise ValueError(f"a goal has {len(COLUMNS)} columns: {row}")
        key, script, job, peer, measure, bound, quoted = ("" if cell == "-" else cell for cell in row)
        relation, number, *unit = bound.split()
        if relation not in ("≤", "≥") or key in found or quoted not in ("", "yes"):
            raise ValueError(f"a goal is wrong, or there twice: {row}")
        found[key] = Goal(
            key, f"{script}.py", job, peer, measure, relation, float(number), " ".join(unit), bool(quoted)
        )
    return found


BY_KEY = parsed(TABLE.read_text(encoding="utf-8"))
