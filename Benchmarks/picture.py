"""The picture of growth: processor time against size, both logarithmic, a panel for each kind of size."""

from __future__ import annotations

import math
from html import escape
from typing import Any, Iterator, NamedTuple

Row = dict[str, Any]
COLUMNS, WIDTH, HEIGHT = 3, 320, 230
# The margins of a panel: left, right (of the names of lines), top and bottom.
LEFT, RIGHT, TOP, BOTTOM = 44, 92, 34, 40
# All panels have the same seconds. Less than the first is the noise of a process.
SECONDS = (0.01, 1000.0)
# Between names of lines.
APART = 13
# Colours that are legible on white and on black.
COLORS = ["#3b82d6", "#d97728", "#2f9e5f", "#a46ad8"]
GREY = "#808890"


class Line(NamedTuple):
    """A job's seconds by size."""

    name: str
    sizes: list[int]
    seconds: list[float]


class Panel(NamedTuple):
    """Lines with the same unit."""

    title: str
    unit: str
    lines: list[Line]


def growth_picture(rows: list[Row]) -> str:
    """The picture as SVG."""
    panels = list(grouped(rows))
    height = math.ceil(len(panels) / COLUMNS) * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="11" fill="none">',
        "<title>Processor time against size</title>",
    ]
    for number, panel in enumerate(panels):
        x, y = number % COLUMNS * WIDTH, number // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *drawn(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def grouped(rows: list[Row]) -> Iterator[Panel]:
    """The panels: a file's length has one for each job, with a line for each container."""
    panels: dict[str, Panel] = {}
    for row in rows:
        title, name = row["goal"], row["job"]
        if row["goal"] == "length":
            title, _, name = row["job"].partition(", ")
            name = name.replace("fragmented.mp4", "fragmented")
        panel = panels.setdefault(title, Panel(title, row["unit"], []))
        panel.lines.append(Line(name, row["sizes"], [cost["seconds"] for cost in row["costs"]]))
    yield from panels.values()


def drawn(panel: Panel) -> Iterator[str]:
    sizes = sorted({size for line in panel.lines for size in line.sizes})
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(size: float) -> float:
        return LEFT + across * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])

    def y(seconds: float) -> float:
        part = math.log(max(seconds, SECONDS[0]) / SECONDS[0]) / math.log(SECONDS[1] / SECONDS[0])
        return TOP + down * (1 - part)

    yield text(LEFT, 18, panel.title, weight="bold")
    for power in range(round(math.log10(SECONDS[0])), round(math.log10(SECONDS[1])) + 1):
        yield stroke([(LEFT, y(10**power)), (LEFT + across, y(10**power))], GREY, 0.4)
        yield text(LEFT - 6, y(10**power) + 4, f"{10.0**power:g} s", anchor="end")
    for size in sizes:
        yield text(x(size), HEIGHT - BOTTOM + 16, f"{size:,}", anchor="middle")
    yield text(LEFT + across / 2, HEIGHT - BOTTOM + 31, panel.unit, anchor="middle")
    # As far as the panel goes, a line of slope 1.
    end = min(sizes[-1], sizes[0] * SECONDS[1] / SECONDS[0])
    yield stroke([(x(sizes[0]), y(SECONDS[0])), (x(end), y(SECONDS[0] * end / sizes[0]))], GREY, 1, dash="2 4")
    names = []
    for line, color in zip(panel.lines, COLORS):
        points = [(x(size), y(seconds)) for size, seconds in zip(line.sizes, line.seconds)]
        yield stroke(points, color, 2)
        for place in points:
            yield f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="2.5" fill="{color}"/>'
        names.append((points[-1][1], line.name, color))
    last = -math.inf
    for place, name, color in sorted(names):
        last = max(place, last + APART)
        for row, part in enumerate(wrapped(name)):
            last += APART if row else 0
            yield text(LEFT + across + 8, last + 4, part, color)


def wrapped(name: str) -> list[str]:
    """A name in lines that fit beside a panel."""
    lines = [""]
    for part in name.split():
        joined = f"{lines[-1]} {part}".strip()
        lines = [*lines[:-1], joined] if len(joined) < 15 else [*lines, part]
    return lines


def stroke(points: list[tuple[float, float]], color: str, width: float, dash: str = "") -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{places}" stroke="{color}" stroke-width="{width}"{dashes}/>'


def text(x: float, y: float, content: str, color: str = GREY, anchor: str = "start", weight: str = "normal") -> str:
    shape = f'text-anchor="{anchor}" font-weight="{weight}" fill="{color}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {shape}>{escape(content)}</text>'
