"""Boxes around moving objects, drawn into a video: `python boxes.py CLIP OUTPUT`.

The detector is the simplest one: differences from the average of the recent frames. It can be replaced by any
other that makes boxes of an array. Audio isn't decoded: its samples are moved from the reader to the writer inside
the engine, while the frames are drawn here.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import numpy as np

import reelwire
from reelwire import StoredInput, TrackOutput, VideoInput

GREEN = (0, 255, 0)
#: The side of the squares that are looked at, in pixels.
CELL = 8


class MotionDetector:
    """Finds where a picture differs from a running mean of those before."""

    def __init__(self, threshold: float = 24) -> None:
        self.threshold = threshold
        self._mean: Any = None

    def __call__(self, picture: Any) -> list[tuple[int, int, int, int]]:
        """The boxes of moving objects: left, top, right and bottom."""
        rows, columns = (side // CELL for side in picture.shape[:2])
        cells = picture[: rows * CELL, : columns * CELL, 1]
        cells = cells.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3))
        if self._mean is None:
            self._mean = cells
        moving = abs(cells - self._mean) > self.threshold
        self._mean = 0.9 * self._mean + 0.1 * cells
        return [tuple(CELL * side for side in box) for box in _clusters(moving)]  # type: ignore[misc]


def _clusters(cells: Any) -> list[tuple[int, int, int, int]]:
    """The boxes around cells that touch each other."""
    rest = set(zip(*(each.tolist() for each in np.nonzero(cells))))
    boxes = []
    while rest:
        found, edge = [], [rest.pop()]
        while edge:
            row, column = edge.pop()
            found.append((row, column))
            near = {(row + y, column + x) for y in (-1, 0, 1) for x in (-1, 0, 1)} & rest
            rest -= near
            edge += near
        rows, columns = zip(*found)
        boxes.append((min(columns), min(rows), max(columns) + 1, max(rows) + 1))
    return boxes


def draw(picture: Any, box: tuple[int, int, int, int], width: int = 2) -> None:
    """Draws a box into a picture."""
    left, top, right, bottom = box
    for rows, columns in (
        (slice(top, top + width), slice(left, right)),
        (slice(bottom - width, bottom), slice(left, right)),
        (slice(top, bottom), slice(left, left + width)),
        (slice(top, bottom), slice(right - width, right)),
    ):
        picture[rows, columns] = GREEN


async def main(source: str, output: str) -> None:
    async with reelwire.AsyncEngine() as engine, await engine.open(source) as asset:
        audio = await asset.load_tracks("audio")
        outputs = [TrackOutput("video", pixel_format="rgb24")]
        async with await asset.reader(*outputs, *[TrackOutput("audio")] * bool(audio)) as reader:
            pictures, *stored = reader.outputs
            size = (await asset.load("natural_size"))["natural_size"]
            inputs: dict[str, Any] = {"video": VideoInput((int(size.width), int(size.height)))}
            if stored:
                inputs["audio"] = StoredInput(stored[0])
            async with await engine.asset_writer(output, **inputs) as writer:

                async def video() -> None:
                    detect = MotionDetector()
                    async for sample in pictures:
                        picture = np.array(sample)
                        for box in detect(picture):
                            draw(picture, box)
                        await writer.video.append(picture, sample.presentation_time)
                    await writer.video.finish()

                work: list[Any] = [video()]
                if stored:
                    work.append(writer.transfer((stored[0], writer.audio)))
                await asyncio.gather(*work)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
