"""An effect of NumPy's on part of a clip: `python vignette.py CLIP OUTPUT`.

The engine decodes, shows the rest as it is and encodes; the pictures of the middle third are drawn here, in
memory that both processes have mapped.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import numpy as np

import reelwire


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
        size = asset.natural_size
        duration = Fraction(asset.duration.value, asset.duration.timescale)
        with engine.composition(asset) as composition:
            timeline: Any = composition.timeline()
            track = next(t for t in timeline["tracks"] if t["mediaType"] == "video")

            def instruction(start: Fraction, end: Fraction, compositor: str) -> Any:
                return {
                    "timeRange": {"start": str(start), "duration": str(end - start)},
                    "layerInstructions": [{"trackID": track["trackID"]}],
                    "compositor": compositor,
                }

            a, b = duration / 3, duration * 2 / 3
            timeline["videoComposition"] = {
                "frameDuration": "1/25",
                "sourceTrackIDForFrameTiming": track["trackID"],
                "renderSize": {"width": size.width, "height": size.height},
                "instructions": [
                    instruction(Fraction(0), a, "engine"),
                    instruction(a, b, "client"),
                    instruction(b, duration, "engine"),
                ],
            }
            with engine.composition(timeline=timeline) as shown, engine.compositor(Vignette()):
                shown.export(output, "HighestQuality", progress=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
