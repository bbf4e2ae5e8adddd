"""Waveforms: the levels of audio over time, as numbers or as a picture."""

from __future__ import annotations

from array import array
from typing import Any

from . import protocol
from .picture import Picture
from .remote import Remote
from .time_range import TimeRange

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


class Waveform(Picture):
    """The waveform of an audio track.

    Access to its image raises ``ValueError`` when none was drawn.
    """

    def __init__(self, wire: protocol.WaveformDidFinish | Any, owner: Remote) -> None:
        super().__init__(wire.get("image"), owner)
        #: The audio track; ``None`` where several were mixed.
        self.track_id: int | None = wire.get("trackID")
        #: The range that the parts divide.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: In hertz.
        self.sample_rate: int = wire["sampleRate"]
        #: The channels; empty when it was drawn without a ``count``.
        self.channels = [WaveformChannel(channel) for channel in wire.get("channels") or ()]
        #: The parts that couldn't be decoded and are 0; empty if there are none.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []

    @property
    def is_drawn(self) -> bool:
        """True if it has an image."""
        return self._image is not None

    def _absence(self) -> Exception:
        return ValueError('the waveform was not drawn: ask for it with format="png"')

    def __repr__(self) -> str:
        count = len(self.channels[0]) if self.channels else 0
        numbers = f" {len(self.channels)} channels of {count} parts" if self.channels else ""
        picture = f" {self._facts()}" if self.is_drawn else ""
        return f"<Waveform {self.sample_rate} Hz{numbers}{picture}>"
