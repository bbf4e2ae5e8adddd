"""A time-lapse: `python timelapse.py OUTPUT PICTURES…`, or `python timelapse.py OUTPUT VIDEO SECONDS`.

Image files are decoded by the engine, one after the other. Of a video one frame is
taken every SECONDS; its pixels stay in the engine's memory, and are encoded from there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import reelwire

RATE = 24


def frames(asset: reelwire.Asset, step: float) -> Iterator[reelwire.Image]:
    """One frame every `seconds`, each valid while it is used."""
    count = int(asset.duration.seconds / step)
    with asset.image_generator(tolerance=0, applies_preferred_track_transform=True) as generator:
        times = [number * step for number in range(count)]
        yield from generator.images(times, format="rgb24", delivery="shm")


def main(output: str, *sources: str) -> None:
    with reelwire.Engine() as engine:
        if len(sources) == 2 and not Path(sources[1]).exists():
            with engine.open(sources[0]) as asset:
                step = float(sources[1])
                with engine.asset_writer(
                    output, video=reelwire.VideoInput(frame_rate=RATE)
                ) as writer:
                    for number, image in enumerate(frames(asset, step)):
                        writer.video.append(image, reelwire.MediaTime(number, RATE))
        else:
            engine.write_video(output, sources, fps=RATE, progress=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
