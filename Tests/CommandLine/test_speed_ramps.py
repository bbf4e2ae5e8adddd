"""Speed ramps: frames and samples against arithmetic with fractions over a linear decode."""

from __future__ import annotations

import json
import math
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest

from conftest import Program, ffmpeg
from test_backward import samples, source, sums

Points = List[Tuple[Any, Any]]
PART = (Fraction(2, 5), Fraction(2))
RAMPS = {
    "slower": [("0.4", 1), ("1.6", "1/4")],
    "to and fro": [("0.8", 1), ("1.2", "1/2"), ("1.2", 3), ("2", 3)],
    "faster from one point": [(1, "1/3"), ("2", 4)],
    "constant": [(1, "5/2")],
}


def course(points: Points, start: Fraction, end: Fraction) -> Tuple[Fraction, Callable[[Fraction], Fraction]]:
    """The duration of a part along a ramp, and the time of the source that is shown at a time."""
    known = [(Fraction(at), Fraction(speed)) for at, speed in points]
    known = [(start, known[0][1]), *known, (end, known[-1][1])]
    sections = []
    begin = Fraction(0)
    for (one, a), (other, b) in zip(known, known[1:]):
        if other > one:
            length = 2 * (other - one) / (a + b)
            sections.append((begin, length, one, a, b))
            begin += length

    def shown(time: Fraction) -> Fraction:
        at, length, first, a, b = [section for section in sections if section[0] <= time][-1]
        return first + a * (time - at) + (b - a) * (time - at) ** 2 / (2 * length)

    return begin, shown


def ramp(points: Points, sign: int = 1) -> List[Any]:
    ratios = [(at, sign * Fraction(speed)) for at, speed in points]
    return [
        {"at": at if isinstance(at, int) else float(at), "speed": {"numerator": s.numerator, "denominator": s.denominator}}
        for at, s in ratios
    ]


def film(program: Program, clips: List[Any], name: str = "film.mp4", **more: Any) -> Path:
    (program.folder / "film.json").write_text(json.dumps({"clips": clips, **more}))
    quality = [] if name.endswith(".wav") else ["--crf", "0"]
    program.ok("compose", "film.json", "-o", name, *quality)
    return program.folder / name


def numbers(points: Points, rate: int = 25) -> List[int]:
    """The frames that are due at each picture."""
    duration, shown = course(points, *PART)
    return [math.floor(shown(Fraction(n, rate)) * 25) for n in range(math.ceil(duration * rate))]


def clip(name: str, points: Points, sign: int = 1) -> Any:
    part = {"start": float(PART[0]), "duration": float(PART[1] - PART[0])}
    return {"url": name, "timeRange": part, "speedRamp": ramp(points, sign)}


@pytest.mark.parametrize("points", RAMPS.values(), ids=list(RAMPS))
@pytest.mark.parametrize("name", ["open.mp4", "long.mp4", "intra.mov"])
def test_each_picture_is_the_frame_of_its_exact_time(program: Program, name: str, points: Points) -> None:
    frames = sums(source(program, name))
    expected = [frames[n] for n in numbers(points)]
    assert sums(film(program, [clip(name, points)])) == expected


def table(program: Program, text: str) -> Path:
    (program.folder / "cuts.csv").write_text(text)
    program.ok("compose", "cuts.csv", "-o", "film.mp4", "--crf", "0")
    return program.folder / "film.mp4"


@pytest.mark.parametrize("points", RAMPS.values(), ids=list(RAMPS))
def test_a_table_has_ramps(program: Program, points: Points) -> None:
    frames = sums(source(program, "closed.mp4"))
    cell = " ".join(f"{speed}@{at}" for at, speed in points)
    expected = [frames[n] for n in numbers(points)]
    assert sums(table(program, f"file,in,out,ramp\nclosed.mp4,0.4,2,{cell}\n")) == expected


def test_rows_with_and_without_a_ramp(program: Program) -> None:
    frames = sums(source(program, "closed.mp4"))
    ramped = [frames[n] for n in numbers(RAMPS["constant"])]
    # 1.6 s at 5/2 last 0.64 s.
    assert len(ramped) == 16
    rows = "SpeedRamp;clip;start;end;dissolve\n 5/2@1 ;closed.mp4;0.4;2;\n;closed.mp4;0.4;1.2;\n"
    assert sums(table(program, rows)) == ramped + frames[10:30]
    (program.folder / "film.mp4").unlink()
    # Without names it is the last column; times may be those of a clock, and speeds below 0 go back.
    backward = "closed.mp4,0.4,2,,,,,,,,-1@0:00:00.4 -1/4@1.6\n"
    shown = sums(table(program, backward))
    (program.folder / "film.mp4").unlink()
    assert shown == sums(film(program, [clip("closed.mp4", RAMPS["slower"], -1)]))
    assert shown != [frames[n] for n in numbers(RAMPS["slower"])]


@pytest.mark.parametrize("cell", ["1", "1@", "@1", "x@1", "0@1", "1@2@3", "1@x", "1@0,5 2@1"])
def test_wrong_cells_of_ramps(program: Program, cell: str) -> None:
    source(program, "closed.mp4")
    (program.folder / "cuts.csv").write_text(f'file,ramp\nclosed.mp4,\nclosed.mp4,"{cell}"\n')
    failure = program.fails(1, "compose", "cuts.csv", "-o", "film.mp4")
    assert f"line 3: 'ramp' is '{cell}'" in failure and "1@2 0.25@3.5" in failure
    assert not (program.folder / "film.mp4").exists()


def test_wrong_ramps_of_a_table(program: Program) -> None:
    source(program, "closed.mp4")
    rows = ["closed.mp4,,1@0 2@9", "closed.mp4,2,1@0 2@1", "closed.mp4,,1@1 -1@2"]
    (program.folder / "cuts.csv").write_text("\n".join(["file,speed,ramp", *rows]) + "\n")
    failure = program.fails(1, "compose", "cuts.csv", "-o", "film.mp4")
    for place in ("line 2 speedRamp 1 at", "line 3 speed", "line 4 speedRamp 1 speed"):
        assert place in failure, (place, failure)


def test_an_ease_of_many_points(program: Program) -> None:
    """The speed falls from 1 to 1/4 by a cosine, without corners that can be seen."""
    frames = sums(source(program, "closed.mp4"))
    points: Points = []
    for n in range(41):
        speed = Fraction(round(10000 * (0.625 + 0.375 * math.cos(math.pi * n / 40))), 10000)
        points.append((f"{0.4 + 0.04 * n:.2f}", speed))
    duration, shown = course(points, *PART)
    # The integral of 1 / (a + b cos x) from 0 to pi is pi / sqrt(a^2 - b^2): 3.2 s of 1.6 s.
    assert abs(duration - Fraction(16, 5)) < Fraction(1, 500)
    due = numbers(points)
    assert sums(film(program, [clip("closed.mp4", points)])) == [frames[n] for n in due]
    # The curve's own time at each picture: s(t) with tan(pi s / 3.2) = 2 tan(t pi / 6.4), within the error of chords.
    for number, frame in enumerate(due):
        time = number / 25
        exact = 0.4 + 3.2 / math.pi * math.atan(2 * math.tan(time * math.pi / 6.4))
        assert abs(float(shown(Fraction(number, 25))) - exact) < 0.001
        assert frame in (math.floor((exact - 0.001) * 25), math.floor((exact + 0.001) * 25))


@pytest.mark.parametrize("rate", [24, 60])
def test_other_frame_rates(program: Program, rate: int) -> None:
    frames = sums(source(program, "closed.mp4"))
    expected = [frames[n] for n in numbers(RAMPS["slower"], rate)]
    assert sums(film(program, [clip("closed.mp4", RAMPS["slower"])], frameRate=rate)) == expected


def test_backward(program: Program) -> None:
    frames = sums(source(program, "closed.mp4"))
    points = RAMPS["slower"]
    # The same ramp over the mirrored source: from the end of the part on, first slowly.
    start, end = PART
    mirrored = [(start + end - Fraction(at), speed) for at, speed in reversed(points)]
    duration, shown = course(mirrored, start, end)
    times = [start + end - shown(Fraction(n, 25)) for n in range(math.ceil(duration * 25))]
    # A frame that is shown backward begins with its end.
    expected = [frames[math.ceil(time * 25) - 1] for time in times]
    assert sums(film(program, [clip("closed.mp4", points, -1)])) == expected


def test_a_timeline_comes_back_and_needs_no_video_composition(program: Program) -> None:
    source(program, "closed.mp4")
    whole = sums(film(program, [clip("closed.mp4", RAMPS["slower"])]))
    text = program.ok("compose", "film.json")
    timeline = json.loads(text)
    segment = timeline["tracks"][0]["segments"][0]
    assert segment["speedRamp"] == json.loads(
        '[{"at": {"value": 2, "timescale": 5}, "speed": 1},'
        ' {"at": {"value": 8, "timescale": 5}, "speed": {"numerator": 1, "denominator": 4}}]'
    )
    duration = segment["timeMapping"]["target"]["duration"]
    assert Fraction(duration["value"], duration["timescale"]) == course(RAMPS["slower"], *PART)[0]
    (program.folder / "timeline.json").write_text(text)
    assert program.ok("compose", "timeline.json") == text
    del timeline["videoComposition"]
    (program.folder / "plain.json").write_text(json.dumps(timeline))
    program.ok("compose", "plain.json", "-o", "plain.mp4", "--crf", "0")
    # The frames of the source from its 10th on, each as long as it is shown.
    shown = sums(program.folder / "plain.mp4", "-vsync", "passthrough")
    assert shown == sums(program.folder / "closed.mp4")[10:50]
    assert len(whole) > len(shown)


def test_clips_with_transitions_and_an_overlay(program: Program) -> None:
    frames = sums(source(program, "closed.mp4"))
    points = RAMPS["faster from one point"]
    dissolving = {**clip("closed.mp4", points), "transition": {"duration": 0.4}}
    shown = sums(film(program, [dissolving, clip("closed.mp4", points)]))
    due = [frames[n] for n in numbers(points)]
    duration = course(points, *PART)[0]
    assert len(shown) == math.ceil((2 * duration - Fraction(2, 5)) * 25)
    before = math.floor((duration - Fraction(2, 5)) * 25)
    assert shown[: before + 1] == due[: before + 1]
    # An overlay that is cut short shows the first part of the ramp.
    base = {"duration": 1, "background": [0, 0, 0, 1]}
    overlay = {
        "url": "closed.mp4", "timeRange": {"start": 0, "duration": 1}, "speedRamp": ramp(points),
        "sourceTimeRange": {"start": 0.4, "duration": 1.6}, "frame": {"x": 0, "y": 0, "width": 160, "height": 90},
    }
    size = {"width": 160, "height": 90}
    made = film(program, [base], "overlay.mp4", size=size, frameRate=25, overlays=[overlay])
    assert sums(made) == due[:25]


def tone(program: Program, frequency: int = 440) -> None:
    sine = f"0.5*sin(2*PI*{frequency}*t)"
    tone = f"aevalsrc={sine}|{sine}:sample_rate=48000:duration=4"
    ffmpeg(["-f", "lavfi", "-i", tone, "-c:a", "pcm_s16le", program.folder / "tone.wav"])


def heard(program: Program, algorithm: str) -> array:
    """The left channel of the tone along a ramp."""
    (program.folder / "film.json").write_text(json.dumps({"clips": [{"url": "tone.wav", "speedRamp": ramp(LONG)}]}))
    timeline = json.loads(program.ok("compose", "film.json"))
    timeline["audioMix"] = {"inputParameters": [{"trackID": 0, "audioTimePitchAlgorithm": algorithm}]}
    (program.folder / "timeline.json").write_text(json.dumps(timeline))
    program.ok("compose", "timeline.json", "-o", f"{algorithm}.wav")
    return left(program.folder / f"{algorithm}.wav")


def left(media: Path) -> array:
    return array("h", b"".join(sample[:2] for sample in samples(media)))


LONG: Points = [(1, 1), (2, "1/4"), (3, 3)]


def test_varispeed_has_each_sample_at_its_place(program: Program) -> None:
    tone(program)
    made = heard(program, "varispeed")
    duration, shown = course(LONG, Fraction(0), Fraction(4))
    assert len(made) == round(duration * 48000)
    # In 16 bits, with the filter's ripple; at the ends the filter has less than its length.
    for number in range(4000, len(made) - 4000, 37):
        exact = 16384 * math.sin(2 * math.pi * 440 * float(shown(Fraction(number, 48000))))
        assert abs(made[number] - exact) < 16, number


@pytest.mark.parametrize("algorithm", ["timeDomain", "spectral"])
def test_the_pitch_stays_and_nothing_clicks(program: Program, algorithm: str) -> None:
    tone(program)
    made = heard(program, algorithm)
    assert len(made) == round(course(LONG, Fraction(0), Fraction(4))[0] * 48000)
    # The second difference of a tone is as high as its frequency says, and that of a click far higher.
    limit = 16384 * (2 * math.pi * 440 / 48000) ** 2
    curves = [made[n - 1] - 2 * made[n] + made[n + 1] for n in range(2000, len(made) - 2000)]
    assert max(map(abs, curves)) < 2 * limit + 4
    # The zeros that the tone crosses upward in each half of a second.
    for start in range(4800, len(made) - 28800, 24000):
        part = made[start : start + 24000]
        crossings = sum(1 for one, other in zip(part, part[1:]) if one < 0 <= other)
        assert abs(crossings - 220) <= 3, start


def test_wrong_ramps_are_named(program: Program) -> None:
    source(program, "closed.mp4")
    points: List[Any] = [
        [{"at": 1, "speed": 1}, {"at": 0.5, "speed": 2}],
        [{"at": 0, "speed": 0}],
        [{"at": 0, "speed": 1}, {"at": 1, "speed": -1}],
        [{"at": 0, "speed": 1}, {"at": 9, "speed": 2}],
        [{"at": 1, "speed": 1}, {"at": 1, "speed": 2}, {"at": 1, "speed": 3}],
    ]
    clips: List[Any] = [{"url": "closed.mp4", "speedRamp": ramp} for ramp in points]
    clips.append({"url": "closed.mp4", "speed": 2, "speedRamp": [{"at": 0, "speed": 1}]})
    clips.append({"url": "closed.mp4", "freeze": 1, "speedRamp": [{"at": 0, "speed": 1}]})
    (program.folder / "film.json").write_text(json.dumps({"clips": clips}))
    failure = program.fails(1, "compose", "film.json")
    places = ("0/speedRamp/1/at", "1/speedRamp/0/speed", "2/speedRamp/1/speed", "3/speedRamp/1/at")
    for place in (*places, "4/speedRamp/2/at", "5/speed", "6/speedRamp"):
        assert f"clips/{place}" in failure, (place, failure)
    (program.folder / "film.json").write_text(json.dumps({"clips": [{"url": "closed.mp4", "speedRamp": []}]}))
    assert "clips/0/speedRamp" in program.fails(1, "compose", "film.json")
    unknown = [{"url": "closed.mp4", "speedRamp": [{"at": 0, "speed": 1, "ease": "in"}]}]
    (program.folder / "film.json").write_text(json.dumps({"clips": unknown}))
    assert "ease" in program.fails(1, "compose", "film.json")


def test_a_speed_that_audio_cannot_have_is_refused(program: Program) -> None:
    tone(program)
    clips = [{"url": "tone.wav", "speedRamp": ramp([(0, 1), (2, 64)])}]
    (program.folder / "film.json").write_text(json.dumps({"clips": clips}))
    assert "varispeed" in program.fails(1, "compose", "film.json", "-o", "film.wav")
    assert not (program.folder / "film.wav").exists()


def test_copying_is_refused(program: Program) -> None:
    source(program, "closed.mp4")
    (program.folder / "film.json").write_text(json.dumps({"clips": [clip("closed.mp4", RAMPS["slower"])]}))
    failure = program.fails(1, "compose", "film.json", "-o", "out.mp4", "--preset", "Passthrough")
    assert "its speed changes" in failure
    assert not (program.folder / "out.mp4").exists()


def test_chapters_follow_the_ramp(program: Program) -> None:
    source(program, "closed.mp4")
    chapters = ";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n"
        for title, start, end in [("one", 0, 1000), ("two", 1000, 2500)]
    )
    (program.folder / "chapters.txt").write_text(chapters)
    ffmpeg(
        ["-i", program.folder / "closed.mp4", "-i", program.folder / "chapters.txt", "-map_metadata", "1", "-c", "copy",
         program.folder / "chaptered.mp4"]
    )
    made = film(program, [{"url": "chaptered.mp4", "speedRamp": ramp([("0.5", 1), ("1.5", "1/2"), (2, "1/2")])}])
    found = json.loads(program.ok("probe", str(made), "--json"))["chapters"]
    # 0.5 s, and the root of half a second along the ramp of 4/3 s from 1 to 1/2: t - 3/16 t^2 = 1/2.
    wanted = 0.5 + (1 - math.sqrt(1 - 4 * 3 / 16 * 0.5)) / (2 * 3 / 16)
    start = found[1]["timeRange"]["start"]
    assert abs(start["value"] / start["timescale"] - wanted) < 0.002
