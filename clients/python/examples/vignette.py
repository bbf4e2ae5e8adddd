"""An effect of NumPy's on part of a clip: `python vignette.py CLIP OUTPUT`.

The engine decodes, leaves the rest unchanged and encodes; the frames of the middle third are drawn here, in
memory that both processes have mapped.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import numpy as np

import reelwire
from reelwire import Instruction, TimeRange, VideoComposition


class Vignette:
    """Darkens pictures towards their corners."""

    def __init__(self, strength: float = 0.6) -> None:
        self.strength = strength
        self._weights: Any = None

    def __call__(self, frame: reelwire.CompositionFrame) -> None:
        (picture,) = frame.sources.values()
        if self._weights is None:
            height, width, _ = picture.shape
            y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
            weights = 256 * (1 - self.strength * (x * x + y * y) / 2)
            self._weights = weights.astype(np.uint16)[..., None]
        frame.target[...] = picture * self._weights >> 8


def main(source: str, output: str) -> None:
    with reelwire.Engine() as engine, engine.open(source) as asset:
        # Upright, for any transform of the file.
        with engine.composition(asset) as film, engine.compositor(Vignette()):
            own = film.video_composition()
            layers = own["instructions"][0]["layerInstructions"]
            third = film.duration / 3
            pictures = VideoComposition(
                (own["renderSize"]["width"], own["renderSize"]["height"]),
                "1/25",
                [
                    Instruction(TimeRange(0, third), layers),
                    Instruction(TimeRange(third, third), layers, compositor="client"),
                    Instruction(TimeRange.between(third * 2, film.duration), layers),
                ],
                frame_timing=own["sourceTrackIDForFrameTiming"],
            )
            film.export(output, "HighestQuality", video_composition=pictures, progress=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
