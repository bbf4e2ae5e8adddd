"""Transitions and overlays of sequences, by ffmpeg's filters and by arithmetic on the frames that ffmpeg reads."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, List

import pytest

from conftest import Program

WIDTH, HEIGHT = 160, 96


def ffmpeg(*arguments: object) -> bytes:
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def grey(*arguments: object) -> List[bytes]:
    """The luma of all frames of inputs and filters."""
    data = ffmpeg(*arguments, "-f", "rawvideo", "-pix_fmt", "gray", "-")
    size = WIDTH * HEIGHT
    return [data[at : at + size] for at in range(0, len(data), size)]


def far_columns(one: bytes, other: bytes) -> List[int]:
    """The columns in which two frames differ by more than what encoding changes."""
    far = {n % WIDTH for n, (a, b) in enumerate(zip(one, other)) if abs(a - b) > 40}
    return sorted(far)


def far_rows(one: bytes, other: bytes) -> List[int]:
    far = {n // WIDTH for n, (a, b) in enumerate(zip(one, other)) if abs(a - b) > 40}
    return sorted(far)


def level(media: Path, start: float, end: float) -> float:
    """The mean volume of a range, in dB."""
    command = ["ffmpeg", "-v", "info", "-nostdin", "-i", str(media), "-af"]
    command += [f"atrim={start}:{end},volumedetect", "-vn", "-f", "null", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return float(text.split("mean_volume:")[1].split()[0])


@pytest.fixture
def films(program: Program) -> Program:
    """Two seconds each: `dark.mp4`, a ramp of grey from the left, and `light.mp4`, one from the top, with audio."""
    ramps = {"dark.mp4": "16+X/2", "light.mp4": "140+Y"}
    for name, luma in ramps.items():
        ffmpeg(
            *["-f", "lavfi", "-i", f"nullsrc=size={WIDTH}x{HEIGHT}:rate=25:duration=2,geq=lum='{luma}':cb=128:cr=128"],
            *["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-c:v", "libx264", "-qp", 4],
            *["-pix_fmt", "yuv420p", "-c:a", "aac", program.folder / name],
        )
    return program


def film(program: Program, **members: Any) -> Path:
    (program.folder / "film.json").write_text(json.dumps(members))
    # A rate factor of 0 is without loss.
    program.ok("compose", "film.json", "-o", "film.mp4", "--crf", "0")
    return program.folder / "film.mp4"


# MARK: Transitions


@pytest.mark.parametrize("direction", ["left", "right", "up", "down"])
@pytest.mark.parametrize(("kind", "peer"), [("wipe", "wipe"), ("push", "slide")])
def test_a_transition_is_that_of_xfade(films: Program, kind: str, peer: str, direction: str) -> None:
    transition = {"kind": kind, "direction": direction, "duration": 1}
    made = film(films, clips=[{"url": "dark.mp4", "transition": transition}, {"url": "light.mp4"}])
    inputs = ["-i", films.folder / "dark.mp4", "-i", films.folder / "light.mp4"]
    filters = f"[0:v][1:v]xfade=transition={peer}{direction}:duration=1:offset=1"
    wanted, shown = grey(*inputs, "-filter_complex", filters), grey("-i", made)
    assert len(shown) == len(wanted) == 75
    far = far_columns if direction in ("left", "right") else far_rows
    for number, (one, other) in enumerate(zip(wanted, shown)):
        # At the border itself, a column of chroma is two pixels.
        border = far(one, other)
        assert not border or border[-1] - border[0] <= 2, (number, border)
    # Five frames after its start a fifth of the picture is the next clip.
    length = WIDTH if direction in ("left", "right") else HEIGHT
    light = {"left": length * 4 // 5 + 3, "up": length * 4 // 5 + 3}.get(direction, length // 5 - 4)
    stride = 1 if length == WIDTH else WIDTH
    middle = HEIGHT // 2 * WIDTH if length == WIDTH else WIDTH // 2
    assert shown[30][middle + light * stride] > 130
    assert shown[30][middle + (length - 1 - light) * stride] < 110


def test_a_slide_covers_the_clip_that_stays(films: Program) -> None:
    transition = {"kind": "slide", "direction": "right", "duration": 1}
    clips = [{"url": "dark.mp4", "transition": transition}, {"url": "light.mp4"}]
    shown = grey("-i", film(films, clips=clips))
    dark, light = (grey("-i", films.folder / name) for name in ("dark.mp4", "light.mp4"))
    for number in range(25):
        edge = WIDTH * number / 25
        for x in range(0, WIDTH, 7):
            if abs(x - edge) < 3:
                continue
            source = light[number][40 * WIDTH + round(x + WIDTH - edge)] if x < edge else dark[0][40 * WIDTH + x]
            assert abs(shown[25 + number][40 * WIDTH + x] - source) < 12, (number, x)


def test_a_dip_has_its_colour_in_the_middle(films: Program) -> None:
    transition = {"kind": "dip", "color": [1, 1, 1, 1], "duration": 0.8}
    clips = [{"url": "dark.mp4", "transition": transition}, {"url": "light.mp4"}]
    shown = grey("-i", film(films, clips=clips, size={"width": WIDTH, "height": HEIGHT}))
    assert len(shown) == 80
    at = 40 * WIDTH + 20
    dark, light = shown[0][at], shown[-1][at]
    white = max(shown[40])
    assert min(shown[40]) > 230
    for number in range(11):
        share = number / 10
        assert abs(shown[30 + number][at] - (dark + (white - dark) * share)) < 8, number
        assert abs(shown[40 + number][at] - (white + (light - white) * share)) < 8, number


def test_volumes_cross_in_every_transition(films: Program) -> None:
    clips = [
        {"url": "dark.mp4", "volume": 1, "transition": {"kind": "push", "duration": 1}},
        {"url": "light.mp4", "volume": 0},
    ]
    made = film(films, clips=clips)
    whole = level(films.folder / "dark.mp4", 0.2, 0.8)
    assert level(made, 0.2, 0.8) == pytest.approx(whole, abs=0.5)
    # Around the middle of the transition half of it is left.
    assert level(made, 1.45, 1.55) == pytest.approx(whole - 6, abs=0.6)


def test_a_table_has_transitions(films: Program) -> None:
    (films.folder / "cuts.csv").write_text(
        "file,out,transition,dissolve\ndark.mp4,2,wipe down,0.4\nlight.mp4,1,,\n"
    )
    films.ok("compose", "cuts.csv", "-o", "film.mp4")
    shown = grey("-i", films.folder / "film.mp4")
    assert len(shown) == 65
    assert shown[45][10 * WIDTH + 20] > 130 and shown[45][80 * WIDTH + 20] < 110
    (films.folder / "cuts.csv").write_text("file,transition\ndark.mp4,spin\nlight.mp4,\n")
    assert "line 2: 'transition' is 'spin'" in films.fails(1, "compose", "cuts.csv", "-o", "no.mp4")


def test_what_a_kind_has_no_use_for_is_refused(films: Program) -> None:
    clips = [
        {"url": "dark.mp4", "transition": {"kind": "dissolve", "direction": "up", "duration": 1}},
        {"url": "light.mp4", "transition": {"kind": "wipe", "color": [0, 0, 0, 1], "duration": 1}},
        {"url": "dark.mp4"},
    ]
    (films.folder / "film.json").write_text(json.dumps({"clips": clips}))
    failure = films.fails(1, "compose", "film.json")
    assert "clips/0/transition/direction" in failure and "clips/1/transition/color" in failure


# MARK: Overlays


def test_an_overlay_has_a_part_a_speed_and_audio(films: Program) -> None:
    """The second second of a counter, at twice its speed: frame 25 + 2 n is shown at n."""
    counter = f"nullsrc=size={WIDTH}x{HEIGHT}:rate=25:duration=2,geq=lum='40+3*N':cb=128:cr=128"
    ffmpeg(
        *["-f", "lavfi", "-i", counter, "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2"],
        *["-c:v", "libx264", "-qp", 4, "-c:a", "pcm_s16le", films.folder / "counter.mov"],
    )
    overlay = {
        "url": "counter.mov", "timeRange": {"start": 1, "duration": "+infinity"}, "speed": 2, "volume": 0.5,
        "sourceTimeRange": {"start": 1, "duration": 1}, "frame": {"x": 80, "y": 48, "width": 64, "height": 32},
        "fadeOut": 0.2,
    }
    made = film(films, clips=[{"url": "dark.mp4", "volume": 0}], overlays=[overlay])
    shown, counted = grey("-i", made), grey("-i", films.folder / "counter.mov")
    dark = grey("-i", films.folder / "dark.mp4")
    at = 60 * WIDTH + 110
    for number in range(50):
        expected = dark[number][at]
        if 25 <= number < 38:
            frame = counted[25 + 2 * (number - 25)][0]
            left = min(1.0, (37.5 - number) / 5)
            expected = expected + (frame - expected) * left
        assert abs(shown[number][at] - expected) < 8, (number, shown[number][at], expected)
    whole = level(films.folder / "counter.mov", 1, 1.3)
    assert level(made, 1.05, 1.25) == pytest.approx(whole - 6, abs=0.6)
    assert level(made, 0.1, 0.9) < -80


@pytest.mark.parametrize(("fit", "inside"), [("contain", False), ("cover", True), ("none", True), ("fill", True)])
def test_an_overlay_is_fitted_to_its_frame(films: Program, fit: str, inside: bool) -> None:
    """A frame that is square and of another shape than the film: nothing is drawn outside of it."""
    overlay = {
        "url": "light.mp4", "timeRange": {"start": 0, "duration": 1}, "fit": fit,
        "frame": {"x": 32, "y": 16, "width": 64, "height": 64},
    }
    clips = [{"url": "dark.mp4", "volume": 0}]
    shown, dark = grey("-i", film(films, clips=clips, overlays=[overlay])), grey("-i", films.folder / "dark.mp4")
    size = HEIGHT * 64 / WIDTH if fit == "contain" else 64
    top = 16 + (64 - size) / 2
    for y in range(HEIGHT):
        if abs(y - top) < 3 or abs(y - top - size) < 3:
            continue
        covered = top < y < top + size
        assert (shown[5][y * WIDTH + 64] > 130) == covered, y
        for x in (29, 99):
            assert abs(shown[5][y * WIDTH + x] - dark[5][y * WIDTH + x]) < 12
    assert (shown[5][20 * WIDTH + 64] > 130) == inside


def test_all_that_is_wrong_with_an_overlay_is_named(films: Program) -> None:
    ffmpeg("-i", films.folder / "dark.mp4", "-frames:v", 1, films.folder / "still.png")
    frame = {"x": 0, "y": 0, "width": 8, "height": 8}
    shown = {"start": 0, "duration": 1}
    overlays = [
        {"url": "light.mp4", "timeRange": shown, "frame": frame, "speed": 0, "volume": -1},
        {"url": "light.mp4", "timeRange": shown, "frame": frame, "sourceTimeRange": {"start": 1.5, "duration": 3}},
        {"url": "light.mp4", "timeRange": shown, "frame": frame, "speed": 3},
        {"url": "still.png", "timeRange": shown, "frame": frame, "speed": 2, "sourceTimeRange": shown},
        {"url": "light.mp4", "timeRange": shown, "frame": frame, "part": shown},
    ]
    (films.folder / "film.json").write_text(json.dumps({"clips": [{"url": "dark.mp4"}], "overlays": overlays[:4]}))
    failure = films.fails(1, "compose", "film.json")
    for path in ("0/speed", "0/volume", "1/sourceTimeRange/duration", "2/timeRange/duration", "3/speed"):
        assert f"overlays/{path}" in failure, failure
    (films.folder / "film.json").write_text(json.dumps({"clips": [{"url": "dark.mp4"}], "overlays": overlays[4:]}))
    assert "overlays/0/part" in films.fails(1, "compose", "film.json")
