"""The frames of a clip, and whether a picture shows the one that it should."""

from __future__ import annotations

import bisect
import json
import mmap
import operator
import os
import subprocess
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

# What the images fit into; both clips have its shape.
SIZE = (320, 180)
# What pictures are compared at, in grey.
WIDTH, HEIGHT = 160, 90
# So many frames before and after may not be nearer to a picture than its own.
AROUND = 3


class Frame(NamedTuple):
    """A frame that is asked for."""

    # The number in the name of its file.
    number: int
    # Its place in presentation order.
    place: int
    # Its presentation time on the track's clock.
    pts: int


class Clip:
    """A file's first video track."""

    def __init__(self, path: Path, name: str, kept: Path) -> None:
        self.path = path.resolve()
        self.name = name
        self.kept = kept
        command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json"]
        command += ["-show_entries", "stream=index,time_base:packet=pts,flags", str(self.path)]
        found = json.loads(subprocess.check_output(command))
        self.stream: int = found["streams"][0]["index"]
        self.base = Fraction(found["streams"][0]["time_base"])
        shown = sorted((p["pts"], "K" in p["flags"]) for p in found["packets"])
        #: Presentation times in ticks.
        self.times: list[int] = [pts for pts, _ in shown]
        #: The places of sync samples.
        self.keys = [place for place, (_, isKey) in enumerate(shown) if isKey]
        #: Half the distance of two frames, in ticks.
        self.half = (self.times[1] - self.times[0]) // 2

    def key_before(self, place: int) -> int:
        """The place of the last sync sample that is not after a frame."""
        return self.keys[bisect.bisect_right(self.keys, place) - 1]

    def spaced(self, count: int) -> list[Frame]:
        """So many frames in the middles of as many equal parts."""
        places = [len(self.times) * (2 * n + 1) // (2 * count) for n in range(count)]
        return [Frame(n, place, self.times[place]) for n, place in enumerate(places)]

    @cached_property
    def reference(self) -> mmap.mmap:
        """Every frame of the linear decode, small and grey; decoded once and kept."""
        facts = self.path.stat()
        path = self.kept / f"{self.path.name}.{facts.st_size}.{WIDTH}x{HEIGHT}.gray"
        if not path.exists():
            made = path.with_suffix(".part")
            # As the engine's JPEG files: BT.601 in full range.
            subprocess.run(
                ["ffmpeg", "-nostdin", "-v", "error", "-y", "-noautorotate", "-i", str(self.path)]
                + ["-map", f"0:{self.stream}", "-fps_mode", "passthrough", "-vf", gray()]
                + ["-f", "rawvideo", str(made)],
                check=True,
            )
            os.replace(made, path)
        with path.open("rb") as file:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(whole) != len(self.times) * WIDTH * HEIGHT:
            raise SystemExit(f"{self.path}: the linear decode has another number of frames")
        return whole


def gray() -> str:
    """The filter that makes a picture small and grey."""
    return f"scale={WIDTH}:{HEIGHT}:flags=area:out_range=full,format=gray"


def made_clip(kept: Path) -> Path:
    """Two minutes of 1080p H.264 with 250 frames a group and three B-frames; made once, and kept."""
    path = kept / "1080p-gop250.mp4"
    if not path.exists():
        made = path.with_suffix(".part.mp4")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]
            + ["testsrc2=size=1920x1080:rate=30:duration=120,noise=alls=4:allf=t"]
            + ["-c:v", "libx264", "-preset", "veryfast", "-g", "250", "-keyint_min", "250"]
            + ["-sc_threshold", "0", "-bf", "3", "-pix_fmt", "yuv420p", str(made)],
            check=True,
        )
        os.replace(made, path)
    return path


def pictures(folder: Path, names: list[str]) -> list[bytes]:
    """JPEG files, small and grey."""
    data = b"".join((folder / name).read_bytes() for name in names)
    command = ["ffmpeg", "-v", "error", "-f", "image2pipe", "-c:v", "mjpeg", "-i", "-"]
    command += ["-fps_mode", "passthrough", "-vf", gray(), "-f", "rawvideo", "-"]
    decoded = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout
    length = WIDTH * HEIGHT
    return [decoded[start : start + length] for start in range(0, len(decoded), length)]


def distance(one: Any, other: Any) -> int:
    """The sum of squared differences."""
    differences = list(map(operator.sub, one, other))
    return sum(map(operator.mul, differences, differences))


def unlike_neighbours(clip: Clip, frames: list[Frame]) -> int:
    """How many frames can be told from the one before and the one after."""
    length = WIDTH * HEIGHT
    found = 0
    for frame in frames:
        places = [max(0, frame.place - 1), frame.place, min(frame.place + 1, len(clip.times) - 1)]
        before, own, after = (clip.reference[p * length : (p + 1) * length] for p in places)
        found += (before != own or places[0] == frame.place) and (
            after != own or places[2] == frame.place
        )
    return found


def right_frames(clip: Clip, frames: list[Frame], folder: Path) -> int:
    """How many pictures are nearer to the frame that they should show than to those around it."""
    present = [f for f in frames if (folder / f"{f.number:03d}.jpg").exists()]
    if not present:
        return 0
    shown = pictures(folder, [f"{f.number:03d}.jpg" for f in present])
    length = WIDTH * HEIGHT
    right = 0
    for frame, picture in zip(present, shown):
        own = 0
        others = []
        for place in range(frame.place - AROUND, frame.place + AROUND + 1):
            if 0 <= place < len(clip.times):
                found = distance(picture, clip.reference[place * length : (place + 1) * length])
                if place == frame.place:
                    own = found
                else:
                    others.append(found)
        right += own <= min(others)
    return right
