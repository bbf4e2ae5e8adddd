"""Tasks of podcasters, musicians and those who feed models with speech, solved as the pages state it.

Each test is a task in one sentence; the numbers about its result are those of FFmpeg's programs and of NumPy.
"""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import numpy as np
import pytest

from desk import Desk, decibels, level_of


def loudness(desk: Desk, name: str) -> float:
    """The integrated loudness by FFmpeg's `ebur128`."""
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-i", desk.path(name), "-vn", "-af", "ebur128", "-f", "null", "-"]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stderr
    return float(re.findall(r"^    I: +(\S+) LUFS$", printed, re.M)[-1])


def test_a_song_in_place_of_the_sound(desk: Desk) -> None:
    """Replace the sound of a film with a song, cut to the length of the film."""
    desk.bring("film.mp4", "song.mp3")
    desk.sh("reelwire export film.mp4 clip.mp4 --audio-from song.mp3 --preset Passthrough")
    assert desk.hashes("clip.mp4", "-c", "copy") == desk.hashes("film.mp4", "-c", "copy")
    assert [each["codec_type"] for each in desk.facts("clip.mp4")["streams"]] == ["video", "audio"]
    assert desk.duration("clip.mp4") == pytest.approx(6, abs=0.001)
    (song, made) = (desk.samples("song.mp3"), desk.samples("clip.mp4"))
    assert np.abs(made[:285000] - song[:285000]).max() < 1e-3 and decibels(song) > -30


def test_the_loudness_of_podcasts(desk: Desk) -> None:
    """Bring an episode to -16 LUFS, as directories of podcasts ask for."""
    desk.bring("podcast.wav")
    assert abs(loudness(desk, "podcast.wav") - -16) > 1
    desk.sh("reelwire export podcast.wav episode.m4a --loudness -16")
    assert loudness(desk, "episode.m4a") == pytest.approx(-16, abs=0.3)
    (source, made) = (desk.samples("podcast.wav"), desk.samples("episode.m4a"))
    # Its dynamics stay: all of it is as much louder.
    gains = [decibels(made[at : at + 24000]) - decibels(source[at : at + 24000]) for at in (48000, 400000, 800000)]
    assert max(gains) - min(gains) < 0.1


def test_chapters_of_a_podcast(desk: Desk) -> None:
    """Add chapters to an episode, as MP3 and as M4A, without encoding the audio again."""
    desk.bring("podcast.wav")
    desk.sh("reelwire export podcast.wav plain.mp3; reelwire export podcast.wav plain.m4a")
    (desk.folder / "chapters.vtt").write_text(
        "WEBVTT\n\n00:00.000 --> 00:07.000\nIntro\n\n00:07.000 --> 00:20.000\nAn interview\n"
    )
    for kind in ("mp3", "m4a"):
        desk.sh(f"reelwire tags plain.{kind} --chapters chapters.vtt --set title='Episode 1' -o episode.{kind}")
        facts = desk.facts(f"episode.{kind}")
        assert facts["format"]["tags"]["title"] == "Episode 1"
        chapters = [(chapter["tags"]["title"], float(chapter["start_time"])) for chapter in facts["chapters"]]
        assert chapters == [("Intro", 0), ("An interview", 7)]
        copied = ("-map", "0:a", "-c", "copy", "-f", "md5")
        assert desk.decoded(f"episode.{kind}", *copied) == desk.decoded(f"plain.{kind}", *copied)


def test_a_cover(desk: Desk) -> None:
    """Put a cover into an MP3 and an M4A, and take it out again."""
    desk.bring("song.mp3", "cover.jpg")
    desk.sh("reelwire export song.mp3 song.m4a")
    for kind in ("mp3", "m4a"):
        desk.sh(f"reelwire tags song.{kind} --cover cover.jpg --set title=Evening --set artist=Nobody -o new.{kind}")
        (picture,) = [each for each in desk.facts(f"new.{kind}")["streams"] if each["codec_type"] == "video"]
        assert picture["disposition"]["attached_pic"] == 1 and picture["width"] == 200
        cover = (desk.folder / "cover.jpg").read_bytes()
        assert desk.decoded(f"new.{kind}", "-map", "0:v", "-c", "copy", "-f", "image2pipe") == cover
        desk.sh(f"reelwire image new.{kind} -o {kind}.jpg")
        assert (desk.folder / f"{kind}.jpg").read_bytes() == cover
        tags = desk.facts(f"new.{kind}")["format"]["tags"]
        assert (tags["title"], tags["artist"]) == ("Evening", "Nobody")


def test_speech_for_a_model(desk: Desk) -> None:
    """Get the audio of a film as a WAV file with one channel at 16 kHz."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 speech.wav --sample-rate 16000 --channels 1")
    stream = desk.stream("speech.wav", "audio")
    assert (stream["codec_name"], stream["sample_rate"], stream["channels"]) == ("pcm_s16le", "16000", 1)
    made = desk.samples("speech.wav", 16000)
    assert made.shape == (96000,)
    assert np.abs(made[200:95000] - spoken(desk)[200:95000]).max() < 0.01


def spoken(desk: Desk) -> "np.ndarray[Any, Any]":
    """The audio of the film as Whisper's own reader has it, which runs ffmpeg for 16 bits."""
    mixed = ["-map", "0:a", "-ac", "1", "-ar", "16000", "-f", "s16le"]
    return np.frombuffer(desk.decoded("film.mp4", *mixed), np.int16)[:96000] / 32768


def test_speech_as_an_array(desk: Desk) -> None:
    """Get the audio of a film as an array of numbers from -1 to 1, one channel at 16 kHz, the same as in a file."""
    desk.bring("film.mp4")
    desk.python("""
import numpy
import reelwire

with reelwire.Engine() as engine, engine.open("film.mp4") as film:
    numpy.save("speech.npy", film.audio(sample_rate=16000, channels=1))
""")
    made = np.load(desk.folder / "speech.npy")
    assert np.abs(made[0, 200:95000] - spoken(desk)[200:95000]).max() < 0.01


def test_sound_that_is_early(desk: Desk) -> None:
    """Let the sound of a film begin 0.2 s later, without encoding the video."""
    desk.bring("film.mp4")
    (desk.folder / "later.json").write_text(
        '{"clips": [{"url": "film.mp4", "volume": 0}], "audio": [{"url": "film.mp4", "at": 0.2}]}'
    )
    desk.sh("reelwire compose later.json -o later.mp4 --preset Passthrough")
    assert desk.hashes("later.mp4") == desk.hashes("film.mp4")
    assert [each["codec_type"] for each in desk.facts("later.mp4")["streams"]] == ["video", "audio"]
    (film, later) = (desk.samples("film.mp4"), desk.samples("later.mp4"))
    assert np.abs(later[:9000]).max() < 0.01
    assert np.abs(later[15600:280000] - film[6000:270400]).max() < 0.05


def test_music_under_a_voice(desk: Desk) -> None:
    """Put music under a talk that gives way to it, goes on to its end and fades out there."""
    desk.bring("podcast.wav", "music.wav")
    (desk.folder / "talk.json").write_text("""{"clips": [
  {"url": "podcast.wav", "timeRange": {"start": 0, "duration": 4}}, {"duration": 4},
  {"url": "podcast.wav", "timeRange": {"start": 7, "duration": 4}}, {"duration": 2}],
 "audio": [{"url": "music.wav", "loop": true, "fadeOut": 1, "duck": {"to": 0.25}}]}
""")
    desk.sh("reelwire compose talk.json -o talk.m4a")
    made = desk.samples("talk.m4a")
    assert desk.duration("talk.m4a") == pytest.approx(14, abs=0.01)

    def levels(start: float) -> "list[float]":
        part = made[int(start * 48000) : int((start + 0.5) * 48000)]
        return [level_of(part, tone) for tone in (440, 3000)]

    assert levels(2) == pytest.approx([0.3, 0.125 / 4], abs=0.01)
    assert levels(5.5) == pytest.approx([0, 0.125], abs=0.01)
    assert levels(9) == pytest.approx([0.3, 0.125 / 4], abs=0.01)
    assert levels(13.25)[1] == pytest.approx(0.125 / 2, abs=0.01)
    assert np.abs(made[int(13.99 * 48000) : 14 * 48000]).max() < 0.01


def test_a_waveform_for_a_page(desk: Desk) -> None:
    """Draw the waveform of a film as a PNG, and get its peaks as JSON."""
    desk.bring("film.mp4")
    desk.sh("reelwire wave film.mp4 -o wave.png --width 600 --height 80 --wave-color '#ff0000'")
    printed = json.loads(desk.sh("reelwire wave film.mp4 --json --count 60"))
    source = desk.samples("film.mp4")[:288000].reshape(60, 4800)
    (left, right) = printed["channels"]
    assert left["max"] == pytest.approx(source.max(axis=1), abs=1e-4)
    assert left["min"] == pytest.approx(source.min(axis=1), abs=1e-4)
    assert left["rms"] == pytest.approx(np.sqrt((source**2).mean(axis=1)), abs=1e-4)
    assert len(right["max"]) == 60
    stream = desk.stream("wave.png", "video")
    assert (stream["width"], stream["height"]) == (600, 80)
    (drawn,) = desk.frames("wave.png")
    (red, green) = (drawn[:, :, 0].astype(int), drawn[:, :, 1].astype(int))
    assert ((red > 128) & (green < 64)).sum() > 600


def test_a_podcast_with_a_still(desk: Desk) -> None:
    """Make a video of an episode and its cover, to upload it where only videos are accepted."""
    desk.bring("podcast.wav", "cover.jpg")
    (desk.folder / "episode.json").write_text(
        '{"clips": [{"url": "cover.jpg", "duration": 20}], "audio": [{"url": "podcast.wav"}]}'
    )
    desk.sh("reelwire compose episode.json -o episode.mp4")
    (video, audio) = (desk.stream("episode.mp4", kind) for kind in ("video", "audio"))
    assert (video["codec_name"], video["width"], video["height"], audio["codec_name"]) == ("h264", 200, 200, "aac")
    assert desk.duration("episode.mp4") == pytest.approx(20, abs=0.001)
    (source, made) = (desk.samples("podcast.wav"), desk.samples("episode.mp4"))
    for start in (1, 8, 17):
        part = made[48000 * start : 48000 * start + 24000]
        assert decibels(part) == pytest.approx(decibels(source[48000 * start :][:24000]), abs=0.1)
