"""Waveforms: how loud sound is over time, as numbers or as a picture."""

from __future__ import annotations

import os
from array import array
from typing import Any

from . import protocol
from .blob import Blob
from .errors import OperationCancelledError, error_from_wire
from .remote import Remote
from .time import TimeRange

__all__ = ["Waveform", "WaveformChannel"]


class WaveformChannel:
    """One channel of a waveform: a number for each part, in an ``array`` of doubles.

    ``numpy.asarray(channel.max)`` and ``memoryview(channel.max)`` make no copy.
    """

    __slots__ = ("max", "min", "rms")

    def __init__(self, wire: protocol.WaveformChannel) -> None:
        #: The smallest sample of each part; 1 is full scale.
        self.min = array("d", wire["min"])
        #: The largest sample of each part.
        self.max = array("d", wire["max"])
        #: The root of the mean square of each part's samples.
        self.rms = array("d", wire["rms"])

    def __len__(self) -> int:
        return len(self.min)

    def __repr__(self) -> str:
        peak = max((abs(value) for value in (*self.min, *self.max)), default=0.0)
        return f"<WaveformChannel {len(self)} parts, peak {peak:.4g}>"


class Waveform:
    """The waveform of an audio track.

    What is asked of the bytes of a picture raises ``ValueError`` when none was drawn.
    """

    def __init__(self, wire: protocol.WaveformDidFinish | Any, owner: Remote) -> None:
        #: The audio track.
        self.track_id: int = wire["trackID"]
        #: What the parts divide.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: In hertz.
        self.sample_rate: int = wire["sampleRate"]
        #: The channels; empty when it was drawn and no ``count`` given.
        self.channels = [WaveformChannel(channel) for channel in wire.get("channels") or ()]
        image: protocol.Image | None = wire.get("image")
        self._blob = Blob(image["blob"], owner) if image else None
        #: The width of the picture in pixels; ``None`` without one.
        self.width: int | None = image["width"] if image else None
        #: The height of the picture in pixels; ``None`` without one.
        self.height: int | None = image["height"] if image else None
        #: The format of the picture; ``None`` without one.
        self.format: protocol.ImageFormat | None = image["format"] if image else None

    @property
    def blob(self) -> Blob:
        """The picture's bytes, wherever they are."""
        if self._blob is None:
            raise ValueError('the waveform was not drawn: ask for it with format="png"')
        return self._blob

    @property
    def data(self) -> memoryview:
        """The picture's bytes."""
        return self.blob.data

    @property
    def path(self) -> str | None:
        """The file, when the picture was delivered to one."""
        return self.blob.path if self._blob is not None else None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file, which is overwritten."""
        self.blob.save(path)

    def release(self) -> None:
        """Lets go of the picture's bytes."""
        if self._blob is not None:
            self._blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self) -> Waveform:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        count = len(self.channels[0]) if self.channels else 0
        numbers = f" {len(self.channels)} channels of {count} parts" if self.channels else ""
        picture = f" {self.width}×{self.height} {self.format}" if self._blob else ""
        where = f" {self.path}" if self.path else ""
        return f"<Waveform {self.sample_rate} Hz{numbers}{picture}{where}>"


def outcome(wire: protocol.WaveformDidFinish | Any, owner: Remote) -> Waveform:
    """The waveform, or the error that it ended with."""
    if wire["result"] == "succeeded":
        return Waveform(wire, owner)
    if wire.get("error"):
        raise error_from_wire(wire["error"])
    raise OperationCancelledError(
        "the waveform was cancelled", code=-11878, hint="Ask for it again."
    )
