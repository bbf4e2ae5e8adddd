"""Frames for training, by PyTorch's DataLoader: `python dataloader.py CLIP...`.

An engine belongs to the process that has started it. So the data set has paths, which can be sent to
other processes, and opens an engine of its own in each of them, when it is first asked for something
there. With `multiprocessing_context="spawn"` the workers have no state of this process at all.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import reelwire


class Clips:
    """From each file `count` frames at equal distances, as one array: (count, height, width, 3)."""

    def __init__(self, paths: list[str], count: int = 8, maximum_size: tuple[int, int] = (160, 90)):
        self.paths = paths
        self.count = count
        self.maximum_size = maximum_size
        self._engine: reelwire.Engine | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None}

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, index: int) -> Any:
        if self._engine is None:
            self._engine = reelwire.Engine()
        with self._engine.open(self.paths[index]) as asset:
            with asset.frames(maximum_size=self.maximum_size) as frames:
                last = max(1, len(frames)) - 1
                return frames[[last * n // max(1, self.count - 1) for n in range(self.count)]]


def main(paths: list[str]) -> None:
    """Loads each file in one of two workers."""
    import torch.utils.data

    loader = torch.utils.data.DataLoader(
        Clips(paths),  # type: ignore[arg-type]
        num_workers=2,
        multiprocessing_context="spawn",
        batch_size=None,
    )
    for path, frames in zip(paths, loader):
        print(path, tuple(frames.shape), frames.dtype)


if __name__ == "__main__":
    main(sys.argv[1:])
