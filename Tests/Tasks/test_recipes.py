"""The recipes for the shell, followed by the letter with other files than that of the page.

Of each file it is stated which recipes are refused, and with which advice; all others have to work, and ffmpeg
decodes all media that they make without an error.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Dict

import pytest

from desk import BINARY, ROOT, turn
from waiting import HANG

# Machines of tests have no screen.
PAGE = (ROOT / "docs/recipes.md").read_text().replace("--screen default --microphone default", "--synthetic")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.S | re.M)
MEDIA = {".mp4", ".mov", ".mkv", ".webm", ".m4a", ".wav", ".webp", ".gif"}

FILES = {
    # As phones record: turned, with a rate that isn't constant in the container's time scale.
    "phone.mov": "-f lavfi -i testsrc2=duration=6:size=320x180:rate=30 -f lavfi -i sine=duration=6 "
    "-c:v libx264 -preset veryfast -g 30 -pix_fmt yuv420p -c:a aac",
    "film.mkv": "-f lavfi -i testsrc2=duration=6:size=480x272:rate=24000/1001 -f lavfi -i sine=duration=6:r=48000 "
    "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=48 -c:a libopus",
    "web.webm": "-f lavfi -i testsrc2=duration=6:size=320x180:rate=30 -f lavfi -i sine=duration=6:r=48000 "
    "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus",
}

# The recipe by a part of its text, and the answer.
NO_AAC = ("--tracks audio:aac", "expected a track: 1 (video, {codec}), 2 (audio, opus), got audio:aac")
REFUSED: Dict[str, Dict[str, str]] = {
    "phone.mov": {},
    "film.mkv": {NO_AAC[0]: NO_AAC[1].format(codec="hevc")},
    "web.webm": {
        NO_AAC[0]: NO_AAC[1].format(codec="vp9"),
        "reelwire join clip.mp4 'clip.mp4#t=2' -o twice.mp4": "--preset HighestQuality encodes them",
    },
}


@pytest.mark.parametrize("name", FILES)
def test_recipes_work_with_another_file(name: str, tmp_path: Path) -> None:
    assert BINARY.exists(), f"there is no {BINARY}; run make test-readme"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *FILES[name].split(), str(tmp_path / name)], check=True)
    if name == "phone.mov":
        turn(tmp_path / name)
    environment = {**os.environ, "PATH": f"{BINARY.parent}:{os.environ['PATH']}"}

    def run(text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-ec", text], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=5 * HANG,
        )  # fmt: skip

    # Those that recipes in Python make.
    assert run(f"reelwire image {name} -t 0.5 -t 1.5 -t 2.5 --width 160 -o thumb-%03d.jpg").returncode == 0
    refused = set()
    for block in BLOCKS:
        ended = run(block.replace("clip.mp4", name))
        (part, answer) = next(((part, text) for part, text in REFUSED[name].items() if part in block), (None, ""))
        assert (ended.returncode != 0) == (part is not None), f"{block}\n{ended.stderr}"
        if part is not None:
            assert answer in ended.stderr, ended.stderr
            refused.add(part)
    assert refused == set(REFUSED[name])
    made = [file for file in tmp_path.rglob("*") if file.suffix in MEDIA and file.name != name]
    assert len(made) > 20
    for file in made:
        if file.suffix == ".webp":
            # FFmpeg doesn't read animated ones.
            assert file.read_bytes()[8:12] == b"WEBP"
            continue
        command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", str(file)]
        decoded = subprocess.run(command, capture_output=True, text=True)
        assert decoded.returncode == 0 and decoded.stderr == "", (file.name, decoded.stderr)
    assert not list(tmp_path.glob(".*reelwire*"))
