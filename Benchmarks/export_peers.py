"""One export by another library: `export_peers.py <way> [source target]`; without files it only imports.

It prints its time on stdout, without the import.
"""

from __future__ import annotations

import json
import resource
import sys
import time


def moviepy(source: str, target: str) -> None:
    """Resizes and writes, with the settings of `export.py`."""
    with VideoFileClip(source) as clip:
        clip.resized(height=720).write_videofile(
            target,
            codec="libx264",
            preset="veryfast",
            ffmpeg_params=["-crf", "22", "-g", "60"],
            audio_codec="aac",
            audio_bitrate="160k",
            pixel_format="yuv420p",
            logger=None,
        )


def main() -> None:
    """The command."""
    if len(sys.argv) < 4:
        return
    before = time.perf_counter()
    moviepy(sys.argv[2], sys.argv[3])
    taken = time.perf_counter() - before
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    memory = own.ru_maxrss + others.ru_maxrss
    print(json.dumps({"seconds": taken, "cpu": cpu, "memory": memory}))


if __name__ == "__main__":
    from moviepy import VideoFileClip

    main()
