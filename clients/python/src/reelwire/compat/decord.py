"""decord's ``VideoReader`` on this engine: ``from reelwire.compat.decord import VideoReader, cpu``.

Frames have the file's numbers and times, exactly: ``seek`` is as accurate as ``seek_accurate``,
and a frame that can't be decoded is an error instead of another frame, for any ``fault_tol``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine import Engine
from .numbered_frames import NumberedFrames

__all__ = ["Context", "NDArray", "VideoReader", "bridge", "cpu", "gpu"]


class Context(NamedTuple):
    """The device on which frames are decoded."""

    device_type: str
    device_id: int


def cpu(device_id: int = 0) -> Context:
    """The processor."""
    return Context("cpu", device_id)


def gpu(device_id: int = 0) -> Context:
    """A graphics card, on which this engine doesn't decode."""
    return Context("gpu", device_id)


class NDArray(np.ndarray):
    """An array that has decord's ``asnumpy()`` too."""

    def asnumpy(self) -> npt.NDArray[Any]:
        """The same array as NumPy's own class."""
        return self.view(np.ndarray)


class VideoReader:
    """The frames of a video by their numbers, with decord's methods."""

    def __init__(
        self,
        uri: Any,
        ctx: Context | None = None,
        width: int = -1,
        height: int = -1,
        num_threads: int = 0,
        fault_tol: float = -1,
        *,
        engine: Engine | None = None,
    ) -> None:
        """``uri`` is any source of ``Engine.open``; a file object is read to its end, as decord does.

        Frames are stretched to ``width`` and ``height``; one that is -1 is the video's. Without an
        ``engine`` all readers of this process share one. ``num_threads`` is ignored: the engine decides. Raises
        ``ValueError`` for a graphics card.
        """
        if getattr(ctx, "device_type", "cpu") not in ("cpu", 1):
            raise ValueError("this engine decodes on the processor alone: ctx=cpu()")
        source = uri.read() if hasattr(uri, "read") else uri
        self._source = NumberedFrames(source, engine=engine, width=width, height=height)
        self._place = 0
        self._rate: float | None = None

    def __len__(self) -> int:
        """The number of frames."""
        return len(self._source)

    def __getitem__(self, idx: int | slice) -> Any:
        """A frame, rows × columns × 3, or for a slice several of them."""
        if isinstance(idx, slice):
            return self.get_batch(range(*idx.indices(len(self))))
        self.seek_accurate(self._number(idx))
        return self.next()

    def __iter__(self) -> Iterator[Any]:
        """All frames; after the error of a damaged one the iterator continues with the next."""
        return map(self.__getitem__, range(len(self)))

    def _number(self, index: int) -> int:
        if not -len(self) <= index < len(self):
            raise IndexError(f"Index: {index} out of bound: {len(self)}")
        return int(index) % len(self)

    def next(self) -> Any:
        """The next frame; raises ``StopIteration`` after the last, ``DecodeFailedError`` for a damaged one."""
        if self._place >= len(self):
            raise StopIteration
        number, self._place = self._place, self._place + 1
        return bridge.out(self._source.frame(number))

    def get_batch(self, indices: Iterable[int]) -> Any:
        """Several frames as one array, in the order of their numbers; each is decoded once."""
        return bridge.out(self._source.several(self._numbers(indices)))

    def _numbers(self, indices: Any) -> list[int]:
        return [self._number(index) for index in np.asarray(indices, dtype=np.int64).tolist()]

    def get_key_indices(self) -> list[int]:
        """The numbers of the frames that decoding can begin with, in the order in which they are shown."""
        return list(self._source.times.keys)

    def get_avg_fps(self) -> float:
        """Frames a second."""
        if self._rate is None:
            self._rate = self._source.rate
        return self._rate

    def get_frame_timestamp(self, idx: int | Iterable[int] | slice) -> npt.NDArray[np.float64]:
        """The presentation times of frames, in seconds: starts and ends, N × 2, or 2 for one number."""
        if isinstance(idx, slice):
            idx = range(*idx.indices(len(self)))
        times = self._source.times
        numbers = np.asarray(idx, dtype=np.int64)
        each = self._numbers(numbers.reshape(-1))
        found = [[float(times.starts[n]), float(times.ends[n])] for n in each]
        return np.array(found, dtype=np.float64).reshape(*numbers.shape, 2)

    def seek(self, pos: int) -> None:
        """Goes to a frame: to exactly that one."""
        if not 0 <= pos < len(self):
            raise IndexError(f"Index: {pos} out of bound: {len(self)}")
        self._place = int(pos)

    def seek_accurate(self, pos: int) -> None:
        """Goes to a frame."""
        self.seek(pos)

    def skip_frames(self, num: int = 1) -> None:
        """Skips ``num`` frames."""
        if num <= 0:
            raise ValueError("the number of frames to skip is above 0")
        self._place = min(self._place + num, len(self))

    def close(self) -> None:
        """Lets go of the file, as the end of the object does."""
        self._source.close()

    def __enter__(self) -> VideoReader:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class _Bridge:
    """The type of the returned frames: decord's ``bridge.set_bridge("torch")``."""

    kind: str = "native"

    def set_bridge(self, new_bridge: str) -> None:
        """Has frames be ``native`` arrays or tensors of ``torch``, from now on."""
        if new_bridge not in ("native", "torch"):
            raise ValueError(f"a bridge is native or torch, not {new_bridge!r}")
        self.kind = new_bridge

    def reset_bridge(self) -> None:
        """Has frames be native arrays again."""
        self.kind = "native"

    def out(self, pixels: npt.NDArray[np.uint8]) -> Any:
        """Pixels as the bridge wants them."""
        if self.kind == "torch":
            return importlib.import_module("torch").from_numpy(pixels)
        return pixels.view(NDArray)


bridge = _Bridge()
