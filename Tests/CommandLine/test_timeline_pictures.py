"""Pictures of timelines, whose places are compared with arithmetic."""

from __future__ import annotations

import json
import math
import shutil
import struct
import subprocess
from fractions import Fraction
from typing import Any, List, Tuple
from xml.etree import ElementTree

import numpy
import pytest

from conftest import Program
from test_repl import leave, say, talk

SVG = "{http://www.w3.org/2000/svg}"
DURATION = 8


def part(start: float, duration: float, source: Any = None) -> Any:
    """A segment of a timeline; `source` is a start and a duration."""
    target = {"start": start, "duration": duration}
    if source is None:
        return {"timeMapping": {"source": "invalid", "target": target}}
    mapping = {"source": {"start": source[0], "duration": source[1]}, "target": target}
    return {"source": "s1", "trackID": 1, "timeMapping": mapping}


def ramp(first: float, last: float, start: float, duration: float) -> Any:
    return {"from": first, "to": last, "timeRange": {"start": start, "duration": duration}}


def timeline(**more: Any) -> Any:
    """Two video tracks that overlap from 3 to 4, and an audio track to 6."""
    instructions = [
        {"timeRange": {"start": 0, "duration": 3}, "layerInstructions": [{"trackID": 1}]},
        {
            "timeRange": {"start": 3, "duration": 1},
            "layerInstructions": [
                {"trackID": 2, "opacity": [ramp(0, 1, 3, 1)]},
                {"trackID": 1},
            ],
        },
        {"timeRange": {"start": 4, "duration": 4}, "layerInstructions": [{"trackID": 2}]},
    ]
    audio = [{**part(0, 2, (0, 2)), "trackID": 2}, part(2, 1), {**part(3, 3, (1, 3)), "trackID": 2}]
    return {
        "version": 1,
        "sources": {"s1": {"url": "clip.mp4"}},
        "tracks": [
            {"trackID": 1, "mediaType": "video", "segments": [part(0, 4, (1, 4))]},
            {"trackID": 2, "mediaType": "video", "segments": [part(0, 3), part(3, 5, (0, 2.5))]},
            {"trackID": 3, "mediaType": "audio", "isEnabled": False, "segments": audio},
        ],
        "audioMix": {"inputParameters": [
            {"trackID": 3, "volume": [ramp(0, 2, 0, 4), {"at": 5, "value": 0.5}]},
            {"trackID": 0, "volume": [ramp(1, 0, 6, 2)]},
        ]},
        "videoComposition": {
            "frameDuration": "1/25",
            "renderSize": {"width": 320, "height": 240},
            "instructions": instructions,
        },
        **more,
    }  # fmt: skip


def draw(program: Program, document: Any) -> ElementTree.Element:
    text = program.ok("compose", "-", "--draw", "-", input=json.dumps(document).encode())
    return ElementTree.fromstring(text)


def group(picture: ElementTree.Element, name: str) -> ElementTree.Element:
    found = picture.find(f"{SVG}g[@id='{name}']")
    assert found is not None, name
    return found


class Axis:
    """Places by the first and the last time on the axis."""

    def __init__(self, picture: ElementTree.Element) -> None:
        marks = [(mark.text or "", float(mark.attrib["x"])) for mark in group(picture, "axis").iter(f"{SVG}text")]
        self.times = [int(text.split(":")[0]) * 60 + float(text.split(":")[1]) for text, _ in marks]
        self.places = [place for _, place in marks]
        self.scale = (self.places[-1] - self.places[0]) / (self.times[-1] - self.times[0])

    def x(self, time: float) -> Any:
        return pytest.approx(self.places[0] + (time - self.times[0]) * self.scale, abs=0.01)


def segments(row: ElementTree.Element) -> List[ElementTree.Element]:
    return row.findall(f"{SVG}svg")


def lines(row: ElementTree.Element) -> List[List[Tuple[float, float]]]:
    found = row.findall(f"{SVG}polyline")
    split = [[point.split(",") for point in line.attrib["points"].split()] for line in found]
    return [[(float(x), float(y)) for x, y in line] for line in split]


def test_segments_are_where_their_times_are(program: Program) -> None:
    picture = draw(program, timeline())
    axis = Axis(picture)
    assert axis.times == list(range(DURATION + 1))
    assert [axis.x(time) for time in axis.times] == axis.places
    expected = {
        1: [(0, 4, "clip.mp4, 0:01.000–0:05.000")],
        2: [(0, 3, "empty"), (3, 8, "clip.mp4, 0:00.000–0:02.500, 0.5×")],
        3: [(0, 2, "clip.mp4, 0:00.000–0:02.000"), (2, 3, "empty"), (3, 6, "clip.mp4, 0:01.000–0:04.000")],
    }  # fmt: skip
    for track, parts in expected.items():
        shown = segments(group(picture, f"track-{track}"))
        assert len(shown) == len(parts)
        for segment, (start, end, title) in zip(shown, parts):
            left = float(segment.attrib["x"])
            assert left == axis.x(start) and left + float(segment.attrib["width"]) == axis.x(end)
            assert segment.findtext(f"{SVG}title") == title
            written = [text.text for text in segment.iter(f"{SVG}text")]
            assert written[:1] == ([] if title == "empty" else ["clip.mp4"])
    # The last video track is on top, and audio is below.
    rows = [row.attrib["id"] for row in picture if row.attrib.get("id", "").startswith("track")]
    assert rows == ["track-2", "track-1", "track-3", "track-0"]
    tops = [float(segments(group(picture, name))[0].attrib["y"]) for name in rows[:3]]
    assert tops == sorted(tops) and len(set(tops)) == 3
    assert group(picture, "track-3").attrib["class"] == "off"
    assert "class" not in group(picture, "track-1").attrib


def test_lines_have_the_values_at_their_times(program: Program) -> None:
    picture = draw(program, timeline())
    axis = Axis(picture)

    def points(track: int, like: int, peak: float, values: List[Tuple[float, float]]) -> Any:
        box = segments(group(picture, f"track-{like}"))[0].attrib
        top, height = float(box["y"]), float(box["height"])
        return [(axis.x(t), pytest.approx(top + height * (1 - v / peak), abs=0.01)) for t, v in values]

    # Opaque throughout, so there is nothing to draw.
    assert lines(group(picture, "track-1")) == []
    assert lines(group(picture, "track-2")) == [points(2, 2, 1, [(3, 0), (4, 1), (8, 1)])]
    # The ramp is 2 · t / 4; the row's height is the highest volume; nothing is drawn where it is empty.
    first, second = lines(group(picture, "track-3"))
    assert first == points(3, 3, 2, [(0, 0), (2, float(Fraction(2 * 2, 4)))])
    assert second == points(3, 3, 2, [(3, 1.5), (4, 2), (5, 2), (5, 0.5), (6, 0.5)])
    (mix,) = lines(group(picture, "track-0"))
    assert [x for x, _ in mix] == [axis.x(0), axis.x(6), axis.x(8)]
    assert mix[0][1] == mix[1][1] and mix[2][1] - mix[0][1] == 44


def test_bounds_and_legend(program: Program) -> None:
    picture = draw(program, timeline())
    axis = Axis(picture)
    bounds = group(picture, "instructions").findall(f"{SVG}line")
    assert [float(line.attrib["x1"]) for line in bounds] == [axis.x(time) for time in (0, 3, 4, 8)]
    assert all(line.attrib["x1"] == line.attrib["x2"] for line in bounds)
    shown = [text.text for text in group(picture, "legend").iter(f"{SVG}text")]
    assert shown == ["opacity", "volume", "instructions"]
    plain = draw(program, timeline(audioMix=None, videoComposition=None))
    assert plain.find(f"{SVG}g[@id='legend']") is None
    assert plain.find(f"{SVG}g[@id='instructions']") is None
    assert not list(plain.iter(f"{SVG}polyline"))


def test_names_are_text(program: Program) -> None:
    name = "<b>&\"'\x07]]>.mp4"
    (program.folder / name).symlink_to((program.folder / "clip.mp4").resolve())
    picture = draw(program, timeline(sources={"s1": {"url": name}}))
    (segment,) = segments(group(picture, "track-1"))
    assert segment.findtext(f"{SVG}text") == name.replace("\x07", "\\u{7}")


def test_a_still_has_no_range(program: Program) -> None:
    program.ok("image", "clip.mp4", "-t", "0", "-o", "still.png")
    picture = draw(program, {"clips": [{"url": "still.png", "duration": 90}]})
    (segment,) = segments(group(picture, "track-1"))
    assert segment.findtext(f"{SVG}title") == "still.png"
    axis = Axis(picture)
    assert float(segment.attrib["width"]) == pytest.approx(90 * axis.scale, abs=0.01)
    assert len(axis.times) <= 13 and len(set(b - a for a, b in zip(axis.times, axis.times[1:]))) == 1


def test_an_empty_timeline(program: Program) -> None:
    picture = draw(program, {"version": 1, "sources": {}, "tracks": []})
    assert [text.text for text in picture.iter(f"{SVG}text")] == ["0:00.000"]


def test_files_of_pictures(program: Program) -> None:
    document = json.dumps(timeline()).encode()
    shown = program.ok("compose", "-", "--draw", "-", input=document)
    assert program.ok("compose", "-", "--draw", "a.svg", input=document) == ""
    assert (program.folder / "a.svg").read_text() == shown
    assert "exists" in program.fails(1, "compose", "-", "--draw", "a.svg", input=document)
    assert (program.folder / "a.svg").read_text() == shown
    assert "no/a.svg" in program.fails(1, "compose", "-", "--draw", "no/a.svg", input=document)
    more = ("-o", "out.mp4", "--draw", "b.svg")
    plan = program.ok("compose", "-", *more, "--dry-run", input=document)
    assert "track 1, video: h264 is drawn with the others into h264 by" in plan
    assert "track 2, video: h264 is drawn with the others" in plan
    assert (program.folder / "b.svg").read_text() == shown
    for wrong in (["-o", "-", "--file-type", "mkv"], ["-o", "x.mp4", "--json"], ["-o", "x.mp4", "--dry-run"]):
        assert "stdout" in program.fails(2, "compose", "x.json", "--draw", "-", *wrong)
    assert "--draw" in program.fails(2, "compose", "x.json", "--draw", "x.mp4", "-o", "x.mp4")


def drawn(program: Program, document: Any, *options: str) -> Any:
    """The picture as librsvg draws it: rows of red, green and blue."""
    if shutil.which("rsvg-convert") is None:
        pytest.skip("rsvg-convert isn't installed")
    svg = program("compose", "-", "--draw", "-", input=json.dumps(document).encode()).stdout
    command = ["rsvg-convert", "--background-color", "white", *options]
    png = subprocess.run(command, input=svg, check=True, capture_output=True)
    assert png.stderr == b""
    raw = ["ffmpeg", "-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(raw, input=png.stdout, check=True, capture_output=True).stdout
    width, height = struct.unpack(">II", png.stdout[16:24])
    return numpy.frombuffer(pixels, "u1").reshape(height, width, 3)


def test_librsvg_draws_it(program: Program) -> None:
    """Segments have the colours of their kinds where their times are, in the picture of another program."""
    picture, pixels = draw(program, timeline()), drawn(program, timeline()).astype(int)
    size = [round(float(each)) for each in picture.attrib["viewBox"].split()[2:]]
    assert list(pixels.shape[1::-1]) == size
    axis, video, audio, white = Axis(picture), (0xC3, 0xD9, 0xF3), (0xC9, 0xE8, 0xCB), 255
    # The track of audio is disabled, and drawn in less than half of its colour.
    faint = tuple(round(white + 0.45 * (each - white)) for each in audio)
    expected = [(1, 0, 4, video), (2, 0, 3, None), (2, 3, 8, video)]
    expected += [(3, 0, 2, faint), (3, 2, 3, None), (3, 3, 6, faint)]
    for number, start, end, color in expected:
        row = segments(group(picture, f"track-{number}"))
        segment = next(each for each in row if float(each.attrib["x"]) == axis.x(start))
        top, depth = float(segment.attrib["y"]), float(segment.attrib["height"])
        left, right = (round(axis.x(time).expected) for time in (start, end))
        # Between the text and the border.
        inside = pixels[round(top + depth) - 10 : round(top + depth) - 2, left + 2 : right - 2].reshape(-1, 3)
        plain = numpy.median(inside, axis=0)
        if color is None:
            assert (plain == white).all() and len(numpy.unique(inside, axis=0)) > 2, (number, start)
        else:
            assert numpy.abs(plain - color).max() <= 1, (number, start, plain)
    twice = drawn(program, timeline(), "--zoom", "2")
    half = twice.reshape(size[1], 2, size[0], 2, 3).mean(axis=(1, 3))
    assert numpy.abs(half - pixels).mean() < 4


# In a terminal


LABELS = 10


def shown(program: Program, document: Any, *options: str, method: str = "create") -> List[str]:
    """The lines below an answer with a timeline."""
    (program.folder / "made.json").write_text(json.dumps(document))
    name = "timeline" if method == "create" else "sequence"
    with talk(program, *options, NO_COLOR="1") as terminal:
        say(terminal, f"composition/{method} {name}:=@made.json")
        say(terminal, "composition/timeline composition=_.composition")
        lines = terminal.text.splitlines()
        leave(terminal)
    end = max(number for number, line in enumerate(lines) if line == "}")
    return [line for line in lines[end + 1 :] if not line.startswith("reelwire>")]


def test_a_timeline_in_a_terminal(program: Program) -> None:
    axis, *rows = shown(program, timeline())
    titles = [row[:LABELS].strip() for row in rows]
    assert titles == ["video 2", "opacity", "video 1", "audio 3", "volume", "mix"]
    width = 100 - LABELS - 1

    def column(time: float) -> int:
        return LABELS + math.floor(time * width / DURATION + 0.5)

    for second in (0, 2, 4, 6):
        assert axis[column(second) :].startswith(f"0:0{second}")
    ranges = {"video 2": [(3, 8)], "video 1": [(0, 4)], "audio 3": [(0, 2), (3, 6)]}
    for title, parts in ranges.items():
        row = rows[titles.index(title)]
        assert [at for at, character in enumerate(row) if character == "├"] == [column(s) for s, _ in parts]
        assert [at for at, character in enumerate(row) if character == "┤"] == [column(e) - 1 for _, e in parts]
        assert len(row) <= 99 and "├clip.mp4" in row
    assert "├clip.mp4 0:00.000–0:02.500 0.5×─" in rows[0]

    def bars(title: str) -> List[int]:
        row = rows[titles.index(title)].ljust(100)[LABELS : LABELS + width]
        return [" ▁▂▃▄▅▆▇█".index(character) for character in row]

    times = [(number + 0.5) * DURATION / width for number in range(width)]

    def opacity(t: float) -> float:
        return 0 if t < 3 else min(1, t - 3)

    def volume(t: float) -> float:
        if 2 <= t < 3 or t >= 6:
            return 0
        return t / 2 if t < 4 else 2 if t < 5 else 0.5

    assert bars("opacity") == [math.floor(opacity(t) * 8 + 0.5) for t in times]
    assert bars("volume") == [math.floor(volume(t) / 2 * 8 + 0.5) for t in times]
    assert bars("mix") == [math.floor(min(1, (8 - t) / 2) * 8 + 0.5) for t in times]


def test_a_timeline_is_shown_where_pictures_are(program: Program) -> None:
    assert shown(program, timeline(), "--pictures", "none") == []
    lines = program.ok(
        "repl", input=f"composition/create timeline:={json.dumps(timeline())}\n"
        "composition/timeline composition=_.composition\n".encode()
    )  # fmt: skip
    assert len(lines.splitlines()) == 2 and "├" not in lines


def test_a_wide_name_takes_its_columns(program: Program) -> None:
    (program.folder / "東京.mp4").symlink_to((program.folder / "clip.mp4").resolve())
    sequence = {"clips": [{"url": "東京.mp4"}, {"url": "clip.mp4", "timeRange": {"start": 0, "duration": 5}}]}
    row = shown(program, sequence, method="assemble")[1]
    first, _, second = row.partition("┤")
    assert "東京.mp4" in first and second.startswith("├clip.mp4")
    # Two characters have two columns each: half of 89, without the end of the segment.
    assert len(first) + 2 == LABELS + 45 - 1


def test_an_image_of_a_composition_is_shown(program: Program) -> None:
    with talk(program, "--pictures", "sixel") as terminal:
        say(terminal, 'composition/assemble sequence.clips:=[{"url": "clip.mp4"}]')
        say(terminal, "imageGenerator/create asset=_.composition")
        terminal.type("imageGenerator/generateImage imageGenerator=_.imageGenerator time=1\r")
        terminal.wait("isExact")
        terminal.wait(lambda: terminal.line.startswith("reelwire>"))
        assert b"\x1bPq" in terminal.raw
        leave(terminal)
