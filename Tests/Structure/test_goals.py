"""The table of the benchmarks' goals: its bounds, its marks, and the documents and the picture that are made of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import goals
import picture
import processes
import results
import table

HEADS = "\t".join(goals.COLUMNS)


def goal(bound: str) -> goals.Goal:
    return goals.parsed(f"{HEADS}\nkey\tlatency\ta job\ta peer\ttime\t{bound}\t-")["key"]


def row(key: str, value: float, **more: Any) -> Dict[str, Any]:
    figure = {"value": value, "low": value, "high": value, "rounds": 1}
    machine = {"cpu": "A", "cores": 2, "version": "1", "ffmpeg": "5.1", "load": 0.5, "date": "2026-01-02"}
    return {"goal": key, "peer": "", **figure, **machine, **more}


# MARK: Goals


def test_each_goal_is_measured_by_its_script() -> None:
    assert goals.BY_KEY
    for key, known in goals.BY_KEY.items():
        script = BENCHMARKS / known.script
        assert key.split("-")[0] in script.read_text(encoding="utf-8"), key


def test_make_runs_each_script_that_measures_goals() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for script in {known.script for known in goals.BY_KEY.values()}:
        assert f"Benchmarks/{script} " in makefile


@pytest.mark.parametrize(
    ("bound", "met", "missed"),
    [("≤ 0.8 ×", [0.1, 0.8], [0.81, 2.0]), ("≥ 1.15 ×", [1.15, 9.0], [1.149, 0.1]), ("≤ 0 frames", [0], [1])],
)
def test_a_bound_has_a_direction_and_includes_itself(bound: str, met: List[float], missed: List[float]) -> None:
    known = goal(bound)
    assert [known.holds(value) for value in met] == [True] * len(met)
    assert [known.holds(value) for value in missed] == [False] * len(missed)
    assert known.aim == bound


@pytest.mark.parametrize(
    "line",
    [
        "key\tlatency\tjob\t-\ttime\t< 1 ms\t-",
        "key\tlatency\tjob\t-\ttime\t≤ one ms\t-",
        "key\tlatency\tjob\t-\ttime\t≤ 1 ms\tperhaps",
        "key\tlatency\tjob\t-\ttime\t≤ 1 ms",
    ],
)
def test_a_wrong_goal_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        goals.parsed(f"{HEADS}\n{line}")


def test_a_goal_is_there_once() -> None:
    line = "key\tlatency\tjob\t-\ttime\t≤ 1 ms\t-"
    with pytest.raises(ValueError, match="twice"):
        goals.parsed(f"{HEADS}\n{line}\n{line}")


# MARK: Results


def test_a_ratio_is_the_median_of_the_quotients_of_the_rounds() -> None:
    # The second round had ten times the load: the quotient of the medians would be 5.
    assert results.ratio([2, 30, 5], [1, 10, 1]) == results.Figure(3, 2, 5, 3)
    assert results.maximum([1, 3, 2]) == results.Figure(3, 1, 3, 3)


def test_the_last_measurement_of_a_goal_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bench" / "results.jsonl"
    assert results.measured(path) == {}
    for measurement in (row("mix", 2), row("facts", 1), row("mix", 0.5), row("no goal", 1)):
        results.append(measurement, path)
    found = results.measured(path)
    assert {key: each["value"] for key, each in found.items()} == {"mix": 0.5, "facts": 1}
    assert "no goal" in capsys.readouterr().err


def test_the_cost_of_a_process_has_that_of_its_children(tmp_path: Path) -> None:
    size = 64 << 20
    child = f"import sys; memory = bytearray(b'x') * {size}; print('there', flush=True); sys.stdin.read()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", parent], **pipes) as process:
        assert process.stdout and process.stdout.readline() == b"there\n"
        found = processes.cost(process.pid)
        assert size < found.memory * 1024 < 2 * size
        assert size < processes.proportional(process.pid) * 1024 < 2 * size
        assert found.seconds > 0


# MARK: The table


def test_a_goal_without_a_measurement_is_not_met() -> None:
    known = goal("≤ 0.8 ×")
    assert table.state(known, None) == "not measured"
    assert table.state(known, row("key", 0.8)) == "met"
    assert table.state(known, row("key", 0.9)) == "not met"
    total = len(goals.BY_KEY)
    assert table.counts({}) == f"Of {total} goals: {total} not measured"
    rows = {"mix": row("mix", 0.5), "facts": row("facts", 0.5)}
    assert table.counts(rows) == f"Of {total} goals: 1 met, 1 not met, {total - 2} not measured"


@pytest.mark.parametrize(
    ("bound", "load", "states"),
    [("≤ 30 ms", 2.1, ["met", "undecided"]), ("≤ 30 ms", 2, ["met", "not met"]), ("≤ 30 ×", 9, ["met", "not met"])],
)
def test_a_busy_machine_shows_only_that_a_time_is_met(bound: str, load: float, states: List[str]) -> None:
    assert [table.state(goal(bound), row("key", value, load=load)) for value in (30, 31)] == states


def test_only_measured_goals_are_quoted() -> None:
    text = table.quoted({"mix": row("mix", 0.5), "slideshow": row("slideshow", 0.5)})
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == 3
    assert goals.BY_KEY["mix"].job in lines[2] and "0.50 ×" in lines[2]


def test_a_table_states_its_machine_and_load() -> None:
    rows = {"mix": row("mix", 0.5), "facts": row("facts", 2, load=3.5, date="2026-01-05")}
    stated = table.caption(rows)
    assert "A with 2 cores, Reelwire 1, FFmpeg 5.1; 2026-01-02 to 2026-01-05" in stated
    assert "0.5 to 3.5" in stated


def test_a_region_is_filled_and_stays_the_same() -> None:
    page = "a\n\n<!-- results -->\nold\n<!-- end -->\n\n<!-- growth -->\n<!-- end -->\n"
    made = table.filled(page, "results", "| new |")
    assert made == "a\n\n<!-- results -->\n| new |\n<!-- end -->\n\n<!-- growth -->\n<!-- end -->\n"
    assert table.filled(made, "results", "| new |") == made
    for name, document in {"missing": page, "results": page + page}.items():
        with pytest.raises(ValueError, match=name):
            table.filled(document, name, "")


def test_stored_measurements_are_of_goals() -> None:
    stored = json.loads(table.PUBLISHED.read_text(encoding="utf-8"))
    for key, measurement in stored["goals"].items():
        assert measurement["goal"] == key and key in goals.BY_KEY
        assert measurement["low"] <= measurement["value"] <= measurement["high"]


# MARK: The picture


def test_linear_costs_are_drawn_on_the_line_of_slope_1() -> None:
    sizes = [1, 10, 100]
    costs = [{"seconds": size / 100} for size in sizes]
    rows = [{"job": "a job", "goal": "parts", "unit": "parts", "sizes": sizes, "costs": costs}]
    drawn = ElementTree.fromstring(picture.growth_picture(rows))
    lines = [line for line in drawn.iter() if line.tag.endswith("polyline")]
    (linear,) = (line for line in lines if line.get("stroke-dasharray"))
    (job,) = (line for line in lines if line.get("stroke-width") == "2")
    first, *_, last = (job.get("points") or "").split()
    assert [first, last] == (linear.get("points") or "").split()


def test_a_length_has_a_panel_for_each_job_and_a_line_for_each_container() -> None:
    rows = [
        {"job": f"{job}, {kind}", "goal": "length", "unit": "minutes", "sizes": [1, 10], "costs": [{"seconds": 1}] * 2}
        for job in ("keys", "an image in the middle") for kind in ("mp4", "mkv")
    ]
    panels = list(picture.grouped(rows))
    assert [panel.title for panel in panels] == ["keys", "an image in the middle"]
    assert [[line.name for line in panel.lines] for panel in panels] == [["mp4", "mkv"]] * 2
