"""One composition by another library: `composition_peers.py <job> <target> <source> …`.

It prints its time on stdout, without the import.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

from moviepy import CompositeVideoClip, ImageClip, VideoFileClip, afx, concatenate_videoclips, vfx


def dissolves(paths: list[str]) -> Any:
    made = [VideoFileClip(path).resized((1280, 720)) for path in paths]
    fades = [vfx.CrossFadeIn(1), afx.AudioFadeIn(1)]
    made[1:] = [clip.with_effects(fades) for clip in made[1:]]
    return concatenate_videoclips(made, method="compose", padding=-1)


def overlay(paths: list[str]) -> Any:
    low, high = (VideoFileClip(path) for path in paths)
    return CompositeVideoClip([low, high.resized((640, 360)).with_position((1240, 680))])


def slideshow(paths: list[str]) -> Any:
    made = [ImageClip(path, duration=3).resized(height=1080) for path in paths]
    made[1:] = [clip.with_effects([vfx.CrossFadeIn(0.5)]) for clip in made[1:]]
    return concatenate_videoclips(made, method="compose", padding=-0.5)


JOBS = {"dissolves": dissolves, "overlay": overlay, "slideshow": slideshow}


def main() -> None:
    """The command."""
    before = time.perf_counter()
    JOBS[sys.argv[1]](sys.argv[3:]).write_videofile(
        sys.argv[2],
        fps=30,
        codec="libx264",
        preset="veryfast",
        ffmpeg_params=["-crf", "22", "-g", "60"],
        audio_codec="aac",
        audio_bitrate="128k",
        pixel_format="yuv420p",
        threads=2,
        logger=None,
    )
    taken = time.perf_counter() - before
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    memory = own.ru_maxrss + others.ru_maxrss
    print(json.dumps({"seconds": taken, "cpu": cpu, "memory": memory}))


if __name__ == "__main__":
    main()
