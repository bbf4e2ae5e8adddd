"""The table of all goals: `table.py [--publish] [--check]`, after the benchmarks that shall be in it.

It prints job, peer, figure, goal, and if it is met: of each goal the last measurement in `.build/bench`, which
may be missing. `--publish` stores these measurements in `results.json`, and makes the derived files: the tables of
README.md and of Benchmarks/README.md, and the picture of growth. Without it they are made of the stored measurements:
`make generate` does that, and `--check`, of `make check`, fails if one of them is stale.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Iterable

import results
from goals import BY_KEY, Goal
from picture import growth_picture

HERE = Path(__file__).resolve().parent
PUBLISHED = HERE / "results.json"
PICTURE = HERE / "growth.svg"
Row = dict[str, Any]
NOTHING = "–"


MET, MISSED, UNDECIDED, UNKNOWN = "met", "not met", "undecided", "not measured"


def state(goal: Goal, row: Row | None) -> str:
    """The state of a goal.

    A time in seconds, or a number of dropped frames, that has missed its goal while more programs ran than there are
    cores decides nothing: alone it would be lower. A goal without a measurement isn't met.
    """
    if row is None:
        return UNKNOWN
    if goal.holds(row["value"]):
        return MET
    return UNDECIDED if goal.dependsOnLoad and row["load"] > row["cores"] else MISSED


def figure(goal: Goal, row: Row | None) -> str:
    """The figure of a goal, with the extremes of its rounds."""
    if row is None:
        return NOTHING
    text = goal.amount(row["value"])
    if row["rounds"] > 1:
        text += f" ({goal.number(row['low'])} to {goal.number(row['high'])})"
    return text


def table(heads: list[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def all_goals(rows: dict[str, Row]) -> str:
    """The table of all goals, and its caption."""
    heads = ["job", "figure", "peer", "measured", "goal", "", "load"]
    cells = []
    for key, goal in BY_KEY.items():
        row = rows.get(key)
        load = f"{row['load']:.1f}" if row else NOTHING
        cells.append([goal.job, goal.measure, peer(goal, row), figure(goal, row), goal.aim, mark(goal, row), load])
    return f"{caption(rows)}\n\n{table(heads, cells)}"


def mark(goal: Goal, row: Row | None) -> str:
    """The state of a goal in a table."""
    found = state(goal, row)
    return f"**{found}**" if found == MISSED else found


def peer(goal: Goal, row: Row | None) -> str:
    return (row or {}).get("peer") or goal.peer or NOTHING


def counts(rows: dict[str, Row]) -> str:
    """The numbers of goals in each state."""
    states = [state(goal, rows.get(key)) for key, goal in BY_KEY.items()]
    numbers = ", ".join(f"{states.count(name)} {name}" for name in (MET, MISSED, UNDECIDED, UNKNOWN) if name in states)
    return f"Of {len(states)} goals: {numbers}"


def between(values: Iterable[Any]) -> str:
    """The first and the last of the values, or the only one."""
    found = sorted(set(values))
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def machine(rows: dict[str, Row]) -> str:
    """The machines, the versions, the days and the load of the measurements."""
    parts = {
        f"{row['cpu']} with {row['cores']} cores, Reelwire {row['version']}, FFmpeg {row['ffmpeg']}"
        for row in rows.values()
    }
    days, loads = between(row["date"] for row in rows.values()), between(row["load"] for row in rows.values())
    return f"{'; '.join(sorted(parts))}; {days}; the load was {loads}"


def caption(rows: dict[str, Row]) -> str:
    if not rows:
        return f"{counts(rows)}."
    return (
        f"{counts(rows)}. Measured on {machine(rows)}. Compared programs run in turns; a figure is the median of "
        "the quotients of the rounds, with their extremes. Undecided are times in seconds and dropped frames that "
        "missed while more programs ran than there are cores."
    )


def quoted(rows: dict[str, Row]) -> str:
    """The goals that the README quotes: those that have been measured."""
    heads = ["job", "figure", "compared with", "measured", "goal", ""]
    cells = [
        [goal.job, goal.measure, peer(goal, rows[key]), goal.amount(rows[key]["value"]), goal.aim, mark(goal, rows[key])]
        for key, goal in BY_KEY.items()
        if goal.isQuoted and key in rows
    ]
    note = f"{counts(rows)} ([the table](Benchmarks/README.md#results))."
    if not cells:
        return note
    return f"{table(heads, cells)}\n\n{note} Measured on {machine(rows)}."


def growth(rows: list[Row]) -> str:
    """The table of costs against size."""
    heads = ["job", "sizes", "at the maximum", "slope of time", "slope of bytes", "slope of memory"]
    cells = []
    for row in rows:
        last = row["costs"][-1]
        slopes = [slope_text(row["slopes"][name]) for name in ("seconds", "read", "memory")]
        costs = f"{last['seconds']:.2f} s, {last['read']:,.{int(last['read'] < 10)}f} MB read, {max(0, last['memory']):.0f} MB"
        sizes = f"{row['sizes'][0]:,} to {row['sizes'][-1]:,} {row['unit']}"
        cells.append([row["job"], sizes, costs, *slopes])
    return table(heads, cells)


def slope_text(slope: float | None) -> str:
    """A slope; none is that of costs that are too small to have one."""
    if slope is None:
        return NOTHING
    # Without the sign of a rounded zero.
    shown = f"{round(slope, 1) + 0:.1f}"
    return f"**{shown}**" if slope > BY_KEY["growth-length"].bound else shown


def filled(document: str, name: str, content: str) -> str:
    """A document with the content of a region that begins with its name and ends with `<!-- end -->`."""
    begin, end = f"<!-- {name} -->\n", "<!-- end -->"
    made, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{content}\n{end}", document, flags=re.S
    )
    if count != 1:
        raise ValueError(f"{count} regions are called {name!r}, and there has to be one")
    return made


def derived(rows: dict[str, Row], costs: list[Row]) -> dict[Path, str]:
    """The derived files."""
    page, readme = HERE / "README.md", HERE.parent / "README.md"
    regions: list[tuple[Path, str, str]] = [
        (page, "results", all_goals(rows)),
        (page, "growth", growth(costs)),
        (readme, "results: quoted", quoted(rows)),
    ]
    made: dict[Path, str] = {PICTURE: growth_picture(costs)}
    for path, name, content in regions:
        made[path] = filled(made.get(path, path.read_text(encoding="utf-8")), name, content)
    return made


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="The table of all goals")
    parser.add_argument("--publish", action="store_true", help="store the measurements, and make the derived files")
    parser.add_argument("--generate", action="store_true", help="make the derived files of the stored measurements")
    parser.add_argument("--check", action="store_true", help="fail if a derived file is stale")
    arguments = parser.parse_args()
    stored: dict[str, Any] = {"goals": {}, "growth": {}}
    if PUBLISHED.exists():
        stored = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    if not (arguments.generate or arguments.check):
        measured = results.measured()
        print(all_goals(measured))
        if not arguments.publish:
            return
        stored["goals"].update(measured)
        stored["growth"].update(results.growth())
        stored["goals"] = {key: stored["goals"][key] for key in BY_KEY if key in stored["goals"]}
        PUBLISHED.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    rows = {key: row for key, row in stored["goals"].items() if key in BY_KEY}
    files = derived(rows, list(stored["growth"].values()))
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if arguments.check:
        for path in stale:
            print(f"{path.relative_to(HERE.parent)} is stale: run `make generate`", file=sys.stderr)
        raise SystemExit(bool(stale))
    for path in stale:
        path.write_text(files[path], encoding="utf-8")


if __name__ == "__main__":
    main()
