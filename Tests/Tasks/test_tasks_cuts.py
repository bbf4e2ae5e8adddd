"""Tasks of those who cut, join and arrange clips, solved as the pages state it.

Each test is a task in one sentence; the numbers about its result are those of FFmpeg's programs and of NumPy.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from desk import Desk, decibels, level_of, nearest, off

#: The amplitude of the tone of `other.mp4`, which has one channel, in each of two.
MONO = 0.125 / 2**0.5
#: Where somebody talks in `podcast.wav`.
CHAPTERS = """WEBVTT

00:00.000 --> 00:07.000
One

00:07.000 --> 00:16.000
Two

00:16.000 --> 00:20.000
Three
"""


def test_trim_without_loss(desk: Desk) -> None:
    """Keep 2.5 s to 5 s of a film, without encoding anything."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 part.mp4 --preset Passthrough --start 2.5 --end 5")
    assert desk.hashes("part.mp4") == desk.hashes("film.mp4")[75:150]
    assert set(desk.hashes("part.mp4", "-c", "copy")) <= set(desk.hashes("film.mp4", "-c", "copy"))
    assert desk.duration("part.mp4") == 2.5
    (part, whole) = (desk.samples("part.mp4"), desk.samples("film.mp4"))
    # A decoder that begins in the middle needs a packet until its output is that of the whole.
    assert np.abs(part[2048:120000] - whole[122048:240000]).max() < 1e-3


def test_trim_without_hidden_frames(desk: Desk) -> None:
    """Keep 2.5 s to 5 s of a film for a player that ignores edit lists, encoding no more than the start."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 part.mp4 --preset Passthrough --trim smart --start 2.5 --end 5")
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    # Without the edit list there is nothing else either.
    shown = desk.frames("part.mp4", "scale=80:-2", "gray")
    assert len(desk.hashes("part.mp4", "-c", "copy")) == len(shown) == 75
    assert [nearest(frame, source) for frame in shown] == list(range(75, 150))
    # From the first key frame on everything is copied, up to the frames that need later ones.
    assert desk.hashes("part.mp4")[45:72] == desk.hashes("film.mp4")[120:147]


def test_cut_the_middle_out(desk: Desk) -> None:
    """Cut the advertisement between 2.2 s and 4.1 s out, and encode as little as possible."""
    desk.bring("film.mp4")
    desk.sh("reelwire join 'film.mp4#t=,2.2' 'film.mp4#t=4.1' -o without.mp4")
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    made = desk.frames("without.mp4", "scale=80:-2", "gray")
    assert [nearest(frame, source) for frame in made] == [*range(66), *range(123, 180)]
    assert desk.duration("without.mp4") == pytest.approx(4.1, abs=0.001)
    # The first group of pictures is copied.
    assert desk.hashes("without.mp4")[:60] == desk.hashes("film.mp4")[:60]
    (part, whole) = (desk.samples("without.mp4"), desk.samples("film.mp4"))
    assert np.abs(part[6000:105000] - whole[6000:105000]).max() < 0.05
    assert np.abs(part[106600:196000] - whole[106600 + 91200 : 196000 + 91200]).max() < 0.05


def test_join_clips_of_one_camera(desk: Desk) -> None:
    """Put the files of one camera together, without encoding the video."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 second.mp4 --preset Passthrough --start 2 --end 4")
    desk.sh("reelwire join film.mp4 second.mp4 film.mp4 -o joined.mp4")
    frames = desk.hashes("film.mp4")
    assert desk.hashes("joined.mp4") == frames + frames[60:120] + frames
    assert desk.times("joined.mp4") == pytest.approx([number / 30 for number in range(420)], abs=1e-5)
    assert desk.stream("joined.mp4", "audio")["duration"] == "14.000000"
    (joined, film) = (desk.samples("joined.mp4"), desk.samples("film.mp4"))
    # No drift: in the third file every sample is at its place.
    assert np.abs(joined[48000 * 9 : 48000 * 13] - film[48000 : 48000 * 5]).max() < 0.05


def test_join_clips_of_several_sizes(desk: Desk) -> None:
    """Join clips of different sizes, shapes and rates to one film of 320 × 180."""
    desk.bring("film.mp4", "other.mp4")
    assert "--preset HighestQuality" in desk.refused("reelwire join film.mp4 other.mp4 -o joined.mp4")
    desk.sh("reelwire join film.mp4 other.mp4 -o joined.mp4 --size 320x180")
    video = desk.stream("joined.mp4", "video")
    assert (video["width"], video["height"]) == (320, 180)
    made = desk.frames("joined.mp4", "scale=80:45", "gray")
    film = desk.frames("film.mp4", "scale=80:45", "gray")
    other = desk.frames("other.mp4", "scale=60:45", "gray")
    # 180 frames of 30 and 100 of 25 a second, at their own times.
    times = [number / 30 for number in range(180)] + [6 + number / 25 for number in range(100)]
    assert desk.times("joined.mp4") == pytest.approx(times, abs=0.001)
    assert [nearest(frame, film) for frame in made[:180]] == list(range(180))
    assert [nearest(frame[:, 10:70], other) for frame in made[180:]] == list(range(100))
    # 4:3 is between black borders.
    assert made[180:, :, :9].max() < 24 and made[180:, :, 71:].max() < 24
    assert desk.duration("joined.mp4") == pytest.approx(10, abs=0.001)
    second = desk.samples("joined.mp4")[48000 * 7 : 48000 * 9]
    assert level_of(second, 700) == pytest.approx(MONO, abs=0.01)


def test_a_file_of_each_chapter(desk: Desk) -> None:
    """Split an audio book into a file of each chapter, named after it."""
    desk.bring("podcast.wav")
    (desk.folder / "chapters.vtt").write_text(CHAPTERS)
    desk.sh("reelwire export podcast.wav book.m4a --chapters chapters.vtt")
    desk.python("""
import reelwire

with reelwire.Engine() as engine, engine.open("book.m4a") as book:
    for number, chapter in enumerate(book.chapters(), 1):
        title = {"set": {"title": chapter.title}}
        name = f"{number:02d} {chapter.title}.m4a"
        book.export(name, "Passthrough", time_range=chapter.time_range, metadata_changes=title)
""")
    whole = desk.samples("book.m4a")
    for name, start, end in (("01 One", 0, 7), ("02 Two", 7, 16), ("03 Three", 16, 20)):
        facts = desk.facts(f"{name}.m4a")
        assert facts["format"]["tags"]["title"] == name[3:]
        assert float(facts["format"]["duration"]) == pytest.approx(end - start, abs=0.001)
        inside = slice(2048, 48000 * (end - start) - 2048)
        assert np.abs(desk.samples(f"{name}.m4a")[inside] - whole[48000 * start :][inside]).max() < 1e-3


def test_the_chapters_of_a_part(desk: Desk) -> None:
    """Cut a part that begins with a chapter out of an episode: it has the chapters that are in it, and no other."""
    desk.bring("podcast.wav")
    (desk.folder / "chapters.vtt").write_text(CHAPTERS)
    desk.sh("reelwire export podcast.wav book.m4a --chapters chapters.vtt")
    desk.sh("reelwire export book.m4a part.m4a --preset Passthrough --start 7 --end 18")
    assert [chapter["tags"]["title"] for chapter in desk.facts("part.m4a")["chapters"]] == ["Two", "Three"]


def test_cut_the_silence_out(desk: Desk) -> None:
    """Cut the pauses out of a podcast, without cutting into what is said."""
    desk.bring("podcast.wav")
    desk.sh("reelwire cut podcast.wav --remove-silence -o tight.wav")
    (whole, made) = (desk.samples("podcast.wav"), desk.samples("tight.wav"))
    # A tenth of a second of each silence stays at either side.
    assert len(made) == pytest.approx(48000 * (13 + 4 * 0.1), abs=480)
    assert np.array_equal(made[: 48000 * 4], whole[: 48000 * 4])
    assert np.array_equal(made[-48000 * 4 :], whole[-48000 * 4 :])
    loud = np.flatnonzero(np.abs(made) > 0.01)
    assert np.diff(loud).max() <= 48000 * 0.21
    assert len(loud) == np.count_nonzero(np.abs(whole) > 0.01)


def test_a_file_of_each_scene(desk: Desk) -> None:
    """Split a film into a file of each scene, for a data set, without losing or repeating a frame."""
    desk.bring("scenes.mp4")
    desk.sh("reelwire cut scenes.mp4 --scenes -o scene-%d.mp4")
    source = desk.frames("scenes.mp4")
    borders = [0, 50, 90, 150]
    for number, (start, end) in enumerate(zip(borders, borders[1:]), 1):
        shown = desk.frames(f"scene-{number}.mp4")
        assert len(shown) == end - start
        assert [nearest(frame, source) for frame in (shown[0], shown[-1])] == [start, end - 1]
    assert not (desk.folder / "scene-4.mp4").exists()
    found = json.loads(desk.sh("reelwire analyze scenes.mp4 --scenes --json"))
    assert [change["sampleIndex"] for change in found["scenes"]["sceneChanges"]] == borders[1:-1]


def test_slow_motion_of_a_part(desk: Desk) -> None:
    """Show the second from 1 s to 2 s at half the speed, and the rest as it was."""
    desk.bring("film.mp4")
    (desk.folder / "slow.json").write_text("""{"clips": [
  {"url": "film.mp4", "timeRange": {"start": 0, "duration": 1}},
  {"url": "film.mp4", "timeRange": {"start": 1, "duration": 1}, "speed": 0.5},
  {"url": "film.mp4", "timeRange": {"start": 2, "duration": 4}}]}
""")
    desk.sh("reelwire compose slow.json -o slow.mp4")
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    made = desk.frames("slow.mp4", "scale=80:-2", "gray")
    times = desk.times("slow.mp4")
    expected = [time if time < 1 else (1 + time) / 2 if time < 3 else time - 1 for time in times]
    assert [nearest(frame, source) for frame in made] == [int(time * 30 + 1e-3) for time in expected]
    assert desk.duration("slow.mp4") == pytest.approx(7, abs=0.001)
    (film, slow) = (desk.samples("film.mp4"), desk.samples("slow.mp4"))
    assert np.abs(slow[48000 * 4 : 48000 * 6] - film[48000 * 3 : 48000 * 5]).max() < 0.05


def test_fade_in_and_out(desk: Desk) -> None:
    """Let a film appear from black within a second, and disappear within its last one, its audio with it."""
    desk.bring("film.mp4")
    (desk.folder / "fades.json").write_text("""{"clips": [
  {"duration": 1, "transition": {"duration": 1}},
  {"url": "film.mp4", "transition": {"duration": 1}},
  {"duration": 1}]}
""")
    desk.sh("reelwire compose fades.json -o faded.mp4")
    (source, made) = (desk.frames(name, "scale=80:-2").astype(float) for name in ("film.mp4", "faded.mp4"))
    assert len(made) == 180 and made[0].max() < 16
    shares = made.mean(axis=(1, 2, 3)) / source.mean(axis=(1, 2, 3))
    assert shares[:30] == pytest.approx([number / 30 for number in range(30)], abs=0.04)
    assert shares[30:150] == pytest.approx(np.ones(120), abs=0.02)
    assert shares[150:] == pytest.approx([1 - number / 30 for number in range(30)], abs=0.04)
    (audio, faded) = (desk.samples("film.mp4"), desk.samples("faded.mp4"))
    for start, share in ((0.45, 0.5), (2, 1), (5.45, 0.5)):
        part = slice(int(start * 48000), int((start + 0.1) * 48000))
        assert decibels(faded[part]) - decibels(audio[part]) == pytest.approx(20 * np.log10(share), abs=0.5)


def test_a_picture_in_a_picture(desk: Desk) -> None:
    """Put a small second film into the lower right corner from 1 s to 4 s, and hear both."""
    desk.bring("film.mp4", "other.mp4")
    (desk.folder / "corner.json").write_text("""{"clips": [{"url": "film.mp4"}],
 "overlays": [{"url": "other.mp4", "volume": 1, "timeRange": {"start": 1, "duration": 3},
   "frame": {"x": 230, "y": 110, "width": 80, "height": 60}}]}
""")
    desk.sh("reelwire compose corner.json -o corner.mp4")
    (film, other) = (desk.frames("film.mp4"), desk.frames("other.mp4", "scale=80:60"))
    made = desk.frames("corner.mp4")
    assert len(made) == 180 and off(made[:, :100], film[:, :100]) < 3
    assert off(made[29, 110:170, 230:310], film[29, 110:170, 230:310]) < 8
    assert off(made[121, 110:170, 230:310], film[121, 110:170, 230:310]) < 8
    for number in (30, 61, 90, 118):
        shown = (number - 30) * 25 // 30
        assert nearest(made[number, 110:170, 230:310], other) == shown
    (before, during) = (desk.samples("corner.mp4")[:40000], desk.samples("corner.mp4")[60000:180000])
    assert level_of(before, 700) < 0.02 and level_of(during, 700) == pytest.approx(MONO, abs=0.01)
