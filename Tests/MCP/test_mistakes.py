"""A model's typical mistakes: the intended call is made where it is clear, else a hint leads to a call that works."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict

import pytest

from conftest import Server, text

# The call as it is made, a part of the hint, and the call that the hint leads to.
HINTS = [
    ("view_frames", {"path": "take.mp4", "times": ["50%"]}, "is 2.002: give that", {"times": [2.002]}),
    ("view_frames", {"path": "take.mp4", "times": [1500]}, "milliseconds are meant, give 1.5", {"times": [1.5]}),
    ("view_frames", {"path": "take.mp4", "times": [60]}, "if frame 60 is meant, give 2.002", {"times": None, "frames": [60]}),
    ("view_frames", {"path": "take.mp4", "times": [4.004]}, "the last frame is shown at 3.970633", {"times": [3.970633]}),
    ("view_frames", {"path": "take.mp4", "frames": [1.5]}, "for times use 'times'", {"frames": None, "times": [1.5]}),
    ("view_frames", {"path": "take.mp4", "times": [-1]}, "subtract it from the duration", {"times": [3.004]}),
    ("view_frames", {"path": "take.mp4", "times": ["00:00:01:12"]}, "hours, minutes and seconds", {"times": ["00:00:01.5"]}),
    ("view_frames", {"path": "take.mp4", "times": ["1,5 s"]}, "decimals with a point", {"times": ["1.5 s"]}),
    ("view_frames", {"path": "take.mp4", "timestamps": [1]}, "Did you mean 'times'?", {"timestamps": None, "times": [1]}),
    ("view_frames", {"path": "take.mp4", "times": [1, 2, 3, 0, 1, 2, 3]}, "at most 6", {"times": [1]}),
    ("view_frames", {"path": "take.mp4", "times": [1], "frames": [1]}, "Give one of them", {"frames": None}),
    ("view_frames", {"path": "tone.wav", "times": [1]}, "view_waveform and listen", {"path": "take.mp4"}),
    ("view_frames", {"path": "take.mp4", "times": [1], "width": 4000}, "from 16 to 1024", {"width": 1024}),
    ("probe", {"path": "tke.mp4"}, "Did you mean '{clips}/take.mp4'?", {"path": "{clips}/take.mp4"}),
    ("probe", {"path": "Take.MOV"}, "'{clips}/take.mp4'", {"path": "{clips}/take.mp4"}),
    ("probe", {"path": "my\\ film.mkv"}, "'{clips}/my film.mkv'", {"path": "{clips}/my film.mkv"}),
    ("probe", {"path": "https://example.org/film.mp4"}, "Download it first", {"path": "take.mp4"}),
    ("probe", {"file": "take.mp4"}, "Did you mean 'path'?", {"file": None, "path": "take.mp4"}),
    ("probe", {"path": "{clips}"}, "list_media", {"path": "take.mp4"}),
    ("probe", {}, "The arguments are path", {"path": "take.mp4"}),
    ("view_sheet", {"path": "take.mp4", "start": 3, "end": 1}, "give 4", {"end": 4}),
    ("view_sheet", {"path": "take.mp4", "start": "beginning"}, "Leave 'start' out", {"start": None}),
    ("view_sheet", {"path": "take.mp4", "count": 100}, "from 1 to 40", {"count": 40}),
    ("view_sheet", {"path": "take.mp4", "start": 1, "duration": 2}, "start + duration", {"duration": None, "end": 3}),
    ("listen", {"path": "tone.wav", "start": 0, "duration": 300}, "at most 30 s", {"duration": 15}),
    ("read_subtitles", {"path": "take.mp4"}, ".srt or .vtt", {"path": "my film.mkv"}),
    ("read_subtitles", {"path": "my film.mkv", "track": 1}, "There are 3", {"track": 3}),
    ("list_media", {"directory": "{clips}"}, "Did you mean 'folder'?", {"directory": None, "folder": "{clips}"}),
    ("export", {"path": "take.mp4", "output": "{new}", "preset": "1080p"}, "Did you mean '1920x1080'?", {"preset": "1920x1080"}),
    ("export", {"path": "take.mp4", "output": "{new}", "preset": "passtrough"}, "'Passthrough'", {"preset": "Passthrough"}),
    ("export", {"path": "take.mp4", "output": "take.mp4"}, "take-2.mp4", {"output": "{new}"}),
    ("export", {"path": "take.mp4", "output_path": "{new}"}, "Did you mean 'output'?", {"output_path": None, "output": "{new}"}),
    ("export", {"path": "take.mp4", "output": "{new}", "settings": {"bitrate": 1}}, "The arguments are videoCodec", {"settings": {"quality": 0.4}}),
    ("export", {"path": "take.mp4", "output": "{new}", "settings": {"width": "half"}}, "a number from 1", {"settings": {"width": 160}}),
    ("export", {"path": "take.mp4", "output": "{new}", "settings": {"videoCodec": "h266"}}, "settings.videoCodec: expected a codec", {"settings": {"videoCodec": "h264", "width": 160}}),
    ("probe", {"path": "film.mkv.mp4"}, "there are: take.mp4", {"path": "take.mp4"}),
    ("probe", {"path": "take\0.mp4"}, "Give the path without it", {"path": "take.mp4"}),
    ("compose", {"document": {}}, 'Give a sequence: {"clips"', {"document": {"clips": [{"url": "take.mp4"}]}}),
    ("compose", {"document": {"files": ["take.mp4"]}}, "neither 'clips'", {"document": {"clips": [{"url": "take.mp4"}]}}),
    ("job", {"job": "7"}, "No job is running", None),
]  # fmt: skip


def filled(value: Any, clips: Path, new: Path) -> Any:
    if isinstance(value, str):
        return value.replace("{clips}", str(clips)).replace("{new}", str(new))
    if isinstance(value, dict):
        return {key: filled(each, clips, new) for key, each in value.items() if each is not None}
    return value


@pytest.mark.parametrize(("tool", "wrong", "hint", "right"), HINTS)
def test_each_mistake_has_a_hint_that_works(
    server: Server, clips: Path, tmp_path: Path, tool: str, wrong: Dict[str, Any], hint: str, right: Any
) -> None:  # fmt: skip
    new = tmp_path / "new.mp4"
    failure = server.failure(tool, **filled(wrong, clips, new))
    assert filled(hint, clips, new) in failure, failure
    assert "Hint:" in failure and "asset/" not in failure and "engine/" not in failure
    assert not new.exists()
    if right is not None:
        server.call(tool, **filled({**wrong, **right}, clips, new))


# Calls whose intention is clear.
MEANT = [
    ("view_frames", {"path": "take.mp4", "times": "0:01"}, "Frame 29"),
    ("view_frames", {"path": "take.mp4", "times": ["1.5s"]}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "times": ["1500 ms"]}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "times": ["0m 1.5sec"]}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "times": "1.5"}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "times": "[1.5, 2]"}, "Frame 59"),
    ("view_frames", {"path": "take.mp4", "times": 1.5}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "times": [{"value": 3, "timescale": 2}]}, "Frame 44"),
    ("view_frames", {"path": "take.mp4", "frames": ["44"], "width": "160"}, "Frame 44"),
    ("view_frames", {"path": " take.mp4 ", "frames": 44}, "Frame 44"),
    ("view_frames", {"path": "'take.mp4'", "frames": [44]}, "Frame 44"),
    ("view_frames", {"path": "file://{clips}/my%20film.mkv", "frames": [44]}, "Frame 44"),
    ("view_frames", {"path": "{clips}/./x/../my film.mkv", "frames": [44], "times": None}, "Frame 44"),
    ("view_sheet", {"path": "take.mp4", "end": 4.1, "count": 1}, "1 × 1 frames"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "shown"), MEANT)
def test_what_is_clear_is_taken(
    server: Server, clips: Path, tool: str, arguments: Dict[str, Any], shown: str
) -> None:
    assert shown in text(server.call(tool, **filled(arguments, clips, clips)))


def test_the_home_folder(clips: Path) -> None:
    server = Server(Path("/"), environment={"HOME": str(clips)})
    assert "H.264" in text(server.call("probe", path="~/take.mp4"))
    assert "Did you mean" in server.failure("probe", path="~/tak.mp4")
    assert server.end() == 0


def test_hints_reach_no_further_than_the_roots(confined: Server, tmp_path: Path) -> None:
    server = confined
    (tmp_path.parent / "secret.mp4").write_bytes(b"")
    failure = server.failure("probe", path=str(tmp_path.parent / "secrt.mp4"))
    assert "secret.mp4" not in failure


def test_a_file_that_is_cut_short_is_exported_as_far_as_it_is_there(server: Server, clips: Path, tmp_path: Path) -> None:
    whole, half = tmp_path / "whole.mp4", tmp_path / "half.mp4"
    copied = ["-i", str(clips / "take.mp4"), "-c", "copy", "-movflags", "+faststart", str(whole)]
    subprocess.run(["ffmpeg", "-loglevel", "error", *copied], check=True, capture_output=True)
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    output = str(tmp_path / "new.mp4")
    failure = server.failure("export", path=str(half), output=output)
    assert "cut short" in failure and "give 'start' and 'end'" in failure
    server.call("export", path=str(half), output=output, start=0, end=0.5)
