"""The layouts of encoded audio: codecs that fix the speakers by the number of channels."""

from __future__ import annotations

import cmath
import json
import subprocess
from typing import List

import pytest

from conftest import Program, ffmpeg

# The speakers of layouts; each has a tone of its own.
SPEAKERS = {
    "2.1": "FL FR LFE",
    "3.0": "FL FR FC",
    "3.1": "FL FR FC LFE",
    "4.0": "FL FR FC BC",
    "quad": "FL FR BL BR",
    "quad(side)": "FL FR SL SR",
    "5.0": "FL FR FC BL BR",
    "5.0(side)": "FL FR FC SL SR",
    "5.1": "FL FR FC LFE BL BR",
    "5.1(side)": "FL FR FC LFE SL SR",
    "6.1": "FL FR FC LFE BC SL SR",
    "6.1(back)": "FL FR FC LFE BL BR BC",
    "7.1": "FL FR FC LFE BL BR SL SR",
    "hexagonal": "FL FR FC BL BR BC",
    "octagonal": "FL FR FC BL BR BC SL SR",
}
RATE = 48000


def period(speaker: str) -> int:
    """The period of a speaker's tone, in samples: all divide 9600. The sides have those of the back."""
    return {"FL": 160, "FR": 150, "FC": 120, "LFE": 600, "BL": 100, "BR": 96, "SL": 100, "SR": 96, "BC": 64}[speaker]


def sounding(program: Program, layout: str) -> str:
    """A file with a second of a layout, or the name of a file that is there."""
    name = f"{layout}.wav"
    tones = "|".join(f"0.1*sin(2*PI*n/{period(each)})" for each in SPEAKERS[layout].split())
    ffmpeg(["-f", "lavfi", "-i", f"aevalsrc={tones}:c={layout}:s={RATE}:d=1", program.folder / name])
    return name


def layout_of(program: Program, file: str) -> str:
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0"]
    return subprocess.check_output([*command, program.folder / file], text=True).strip()


def heard(program: Program, file: str, channels: int) -> List[List[float]]:
    """The levels of the tones of each channel, as a part of the source's, in the order of the tones."""
    command = ["ffmpeg", "-v", "error", "-i", program.folder / file, "-af", "asetpts=N/SR/TB"]
    command += ["-f", "f32le", "-"]
    samples = memoryview(subprocess.check_output(command)).cast("f")
    found = []
    for channel in range(channels):
        part = samples[channel::channels][9600:19200].tolist()
        found.append([level(part, each) for each in (160, 150, 120, 600, 100, 96, 64)])
    return found


def level(samples: List[float], length: int) -> float:
    """The amplitude of the tone of a period, by a sum over a table of one period."""
    folded = [sum(samples[start::length]) for start in range(length)]
    total = sum(value * cmath.exp(-2j * cmath.pi * place / length) for place, value in enumerate(folded))
    return abs(total) * 2 / len(samples) / 0.1


def expected(layout: str) -> List[List[float]]:
    order = (160, 150, 120, 600, 100, 96, 64)
    return [[1.0 if period(each) == tone else 0.0 for tone in order] for each in SPEAKERS[layout].split()]


@pytest.mark.parametrize(
    ("layout", "target", "codec", "written"),
    [
        ("5.1(side)", "out.m4a", "aac", "5.1"),
        ("5.1(side)", "out.mp4", "aac", "5.1"),
        ("5.0(side)", "out.m4a", "aac", "5.0"),
        ("4.0", "out.m4a", "aac", "4.0"),
        ("5.1(side)", "out.m4a", "alac", "5.1"),
        ("5.0(side)", "out.m4a", "alac", "5.0"),
        ("6.1", "out.m4a", "alac", "6.1(back)"),
        ("3.0", "out.opus", "opus", "3.0"),
        ("quad", "out.opus", "opus", "quad"),
        ("quad(side)", "out.opus", "opus", "quad"),
        ("5.0(side)", "out.mkv", "opus", "5.1"),
        ("5.1(side)", "out.mkv", "opus", "5.1"),
        ("7.1", "out.mkv", "opus", "7.1"),
        ("6.1(back)", "out.ogg", "vorbis", "6.1"),
        ("quad", "out.ogg", "vorbis", "quad"),
        ("quad(side)", "out.ogg", "vorbis", "quad"),
        ("5.1(side)", "out.ogg", "vorbis", "5.1"),
        ("6.1", "out.ogg", "vorbis", "6.1"),
        # There is no layout of those speakers alone: the others are silent.
        ("2.1", "out.ogg", "vorbis", "5.1"),
        ("3.1", "out.ogg", "vorbis", "5.1"),
        ("4.0", "out.ogg", "vorbis", "6.1"),
        ("hexagonal", "out.ogg", "vorbis", "6.1"),
        ("2.1", "out.mkv", "opus", "5.1"),
        ("2.1", "out.m4a", "alac", "5.1"),
    ],
)
def test_speakers_are_kept(program: Program, layout: str, target: str, codec: str, written: str) -> None:
    file = sounding(program, layout)
    planned = json.loads(program.ok("export", file, target, "--audio-codec", codec, "--dry-run", "--json"))
    done = json.loads(program.ok("export", file, target, "--audio-codec", codec, "--json"))
    assert layout_of(program, target) == written
    for dropped in (planned["preflight"].get("dropped", []), done.get("dropped", [])):
        assert [each for each in dropped if each["item"] == "channels"] == []
    sources = {str(tones): tones for tones in expected(layout)}
    speakers = SPEAKERS[written].split()
    levels = heard(program, target, len(speakers))
    for speaker, found, tones in zip(speakers, levels, expected(written)):
        assert found == pytest.approx(tones if str(tones) in sources else [0.0] * 7, abs=0.3), speaker


@pytest.mark.parametrize("layout", ["5.1(side)", "6.1"])
def test_alac_has_the_same_samples(program: Program, layout: str) -> None:
    file = sounding(program, layout)
    program.ok("export", file, "out.m4a", "--audio-codec", "alac")
    # 6.1 has its back centre before the sides, 6.1(back) after them.
    order = SPEAKERS[layout].replace("SL", "BL").replace("SR", "BR").split()
    written = SPEAKERS[layout_of(program, "out.m4a")].split()
    samples, own = (
        memoryview(
            subprocess.check_output(["ffmpeg", "-v", "error", "-i", program.folder / name, "-f", "s16le", "-"])
        ).cast("h")
        for name in ("out.m4a", file)
    )
    for place, speaker in enumerate(order):
        there = samples[written.index(speaker) :: len(order)].tolist()
        assert there == own[place :: len(order)].tolist(), speaker


@pytest.mark.parametrize(("target", "codec", "title"), [("out.ogg", "vorbis", "Vorbis"), ("out.opus", "opus", "Opus")])
def test_remixed_layouts_are_listed(program: Program, target: str, codec: str, title: str) -> None:
    """The back centre becomes a phantom one between both surround channels."""
    file = sounding(program, "octagonal")
    arguments = ["export", file, target, "--audio-codec", codec, "--json"]
    planned = json.loads(program.ok(*arguments, "--dry-run"))
    done = json.loads(program.ok(*arguments))
    for dropped in (planned["preflight"].get("dropped", []), done.get("dropped", [])):
        (item,) = [each for each in dropped if each["item"] == "channels"]
        assert item["key"] == "8"
        assert item["reason"] == f"{title} has no layout octagonal: those of 'octagonal.wav' are mixed to 7.1"
    assert layout_of(program, target) == "7.1"
    levels = heard(program, target, 8)
    assert all(levels[place][0] < 0.1 for place in (2, 3)) and levels[4][6] == pytest.approx(levels[5][6], abs=0.1)
    assert levels[4][6] > 0.2


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("codec", ["vorbis", "opus"])
def test_numbers_that_are_asked_for(program: Program, count: int, codec: str) -> None:
    file = sounding(program, "5.1(side)")
    program.ok("export", file, "out.mkv", "--audio-codec", codec, "--channels", str(count))
    assert layout_of(program, "out.mkv") == {3: "3.0", 4: "quad"}[count]


def test_unknown_layouts_keep_the_order(program: Program) -> None:
    file = sounding(program, "quad")
    ffmpeg(
        ["-i", program.folder / file, "-c:a", "pcm_s16le", "-f", "s16le", program.folder / "raw"],
    )
    source = ["-f", "s16le", "-ar", RATE, "-ac", 4, "-guess_layout_max", 0, "-i", program.folder / "raw"]
    ffmpeg([*source, "-c:a", "copy", program.folder / "unknown.mov"])
    for codec in ("vorbis", "opus"):
        program.ok("export", "unknown.mov", f"{codec}.mkv", "--audio-codec", codec)
        for found, tones in zip(heard(program, f"{codec}.mkv", 4), expected("quad")):
            assert found == pytest.approx(tones, abs=0.1)
