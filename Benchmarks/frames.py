"""The frames of a clip, and whether a picture shows the one that it should."""

from __future__ import annotations

import bisect
import json
import operator
import os
import subprocess
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

# The size that the images fit into; both clips have its aspect ratio.
SIZE = (320, 180)
# The size at which images are compared, in grey.
WIDTH, HEIGHT = 160, 90
# The number of frames before and after that must not be more similar to an image than its own.
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
        """The frames in the middles of `count` equal parts."""
        places = [len(self.times) * (2 * n + 1) // (2 * count) for n in range(count)]
        return [Frame(n, place, self.times[place]) for n, place in enumerate(places)]

    @cached_property
    def reference(self) -> int:
        """A descriptor of every frame of the linear decode, small and grey; made once and stored.

        It is read and not mapped: memory that a process has mapped counts as its children's, too.
        """
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
        if path.stat().st_size != len(self.times) * WIDTH * HEIGHT:
            raise SystemExit(f"{self.path}: the linear decode has another number of frames")
        return os.open(path, os.O_RDONLY)

    def small(self, place: int) -> bytes:
        """A frame of the linear decode, small and grey."""
        return os.pread(self.reference, WIDTH * HEIGHT, place * WIDTH * HEIGHT)

    def is_told(self, place: int) -> bool:
        """True if a frame can be distinguished from the one before and the one after."""
        beside = [other for other in (place - 1, place + 1) if 0 <= other < len(self.times)]
        return all(self.small(other) != self.small(place) for other in beside)


def gray() -> str:
    """The filter that makes a picture small and grey."""
    return f"scale={WIDTH}:{HEIGHT}:flags=area:out_range=full,format=gray"


def made_clip(kept: Path, seconds: int = 120) -> Path:
    """1080p H.264 with 250 frames a group and three B-frames; made once, and kept."""
    path = kept / ("1080p-gop250.mp4" if seconds == 120 else f"1080p-gop250-{seconds}s.mp4")
    if not path.exists():
        made = path.with_suffix(".part.mp4")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]
            + [f"testsrc2=size=1920x1080:rate=30:duration={seconds},noise=alls=4:allf=t"]
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


def right_frames(clip: Clip, frames: list[Frame], folder: Path) -> tuple[int, int]:
    """The number of images that are more similar to their frame than to those around it.

    The second number is the total: the existing ones that can be distinguished from their neighbours.
    """
    told = [f for f in frames if clip.is_told(f.place) and (folder / f"{f.number:03d}.jpg").exists()]
    if not told:
        return 0, 0
    right = 0
    shown = pictures(folder, [f"{frame.number:03d}.jpg" for frame in told])
    for frame, picture in zip(told, shown):
        first, last = frame.place - AROUND, frame.place + AROUND
        around = range(max(0, first), min(last + 1, len(clip.times)))
        distances = {place: distance(picture, clip.small(place)) for place in around}
        right += min(distances, key=lambda place: distances[place]) == frame.place
    return right, len(told)
