"""Video compositions: how the video tracks of an asset become one picture, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import protocol
from .audio_mix import entry, ramp
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike
from .track import TrackLike
from .wire import track_number

__all__ = ["Instruction", "Layer", "RectangleLike", "TransformLike", "VideoComposition"]

#: The six numbers of a transform, or two of them: how far to the right and down.
TransformLike = Sequence[float]

#: ``(x, y, width, height)``, or a mapping with these names.
RectangleLike = Union[Sequence[float], Mapping[str, float]]


class Layer(dict[str, Any]):
    """A track in the picture: ``Layer(1).opacity(0.5).fade(0.5, 0, at=3, duration=1)``.

    It is the protocol's own value, plain JSON. Each method returns another one with one entry more;
    those of one kind are in ascending order and don't overlap. Before the first entry the track is
    opaque, whole and where it is; between two entries the last value holds.
    """

    def __init__(self, track: TrackLike, *, fit: protocol.Fit | None = None) -> None:
        super().__init__(trackID=track_number(track))
        if fit is not None:
            self["fit"] = fit

    def opacity(self, value: float, at: TimeLike = 0) -> Layer:
        """From a time on it has that opacity, from 0 to 1."""
        return self._with("opacity", entry(value, at))

    def fade(self, start: float, end: float, *, at: TimeLike, duration: TimeLike) -> Layer:
        """From ``at`` on its opacity changes linearly, for ``duration``."""
        return self._with("opacity", ramp(start, end, at, duration))

    def transform(self, value: TransformLike, at: TimeLike = 0) -> Layer:
        """From a time on it lies there: ``[a, b, c, d, tx, ty]``, or ``(tx, ty)``."""
        return self._with("transform", entry(_transform(value), at))

    def move(
        self, start: TransformLike, end: TransformLike, *, at: TimeLike, duration: TimeLike
    ) -> Layer:
        """From ``at`` on it moves from one place to another, for ``duration``."""
        return self._with("transform", ramp(_transform(start), _transform(end), at, duration))

    def crop(self, rectangle: RectangleLike, at: TimeLike = 0) -> Layer:
        """From a time on only that part of its frames is shown."""
        return self._with("cropRectangle", entry(_rectangle(rectangle), at))

    def pan(
        self, start: RectangleLike, end: RectangleLike, *, at: TimeLike, duration: TimeLike
    ) -> Layer:
        """From ``at`` on the part that is shown changes, for ``duration``."""
        return self._with("cropRectangle", ramp(_rectangle(start), _rectangle(end), at, duration))

    def _with(self, key: str, item: dict[str, Any]) -> Layer:
        made = Layer(self["trackID"])
        made.update(self)
        made[key] = [*self.get(key, []), item]
        return made


class Instruction(dict[str, Any]):
    """The layers that are shown during a range of time: ``Instruction(TimeRange(0, 4), [top, bottom])``.

    It is the protocol's own value, plain JSON. The first layer is on top; without layers it is the
    background, red, green, blue and alpha from 0 to 1, by default opaque black. With
    ``compositor="client"`` the function of ``engine.compositor(function)`` draws its frames, and decides
    the meaning of layers and background.
    """

    def __init__(
        self,
        time_range: TimeRangeLike,
        layers: Iterable[Mapping[str, Any]] = (),
        *,
        background: Sequence[float] | None = None,
        compositor: protocol.Compositor | None = None,
    ) -> None:
        super().__init__(
            timeRange=TimeRange.of(time_range).to_wire(),
            layerInstructions=[dict(layer) for layer in layers],
        )
        if background is not None:
            self["backgroundColor"] = [float(each) for each in background]
        if compositor is not None:
            self["compositor"] = compositor


class VideoComposition(dict[str, Any]):
    """The compositing of an asset's video tracks into one frame, as a value.

    It is the protocol's own value, plain JSON, and accepted for any video composition. Frames are
    at multiples of ``frame_duration`` (``"1/30"``), or with the frames of the track ``frame_timing``.
    Instructions follow one another from zero on.

    The client's own compositor (``engine.compositor(function)``) draws in ``compositor_pixel_format``, by default
    ``"rgb24"``, and has ``compositor_timeout`` seconds for each frame, by default 10.

    ``subtitles`` (``{"url": "film.srt"}``) and above them ``text_layers`` are drawn over the frames; the last of each is
    on top.
    """

    def __init__(
        self,
        size: tuple[float, float],
        frame_duration: TimeLike,
        instructions: Iterable[Mapping[str, Any]],
        *,
        frame_timing: TrackLike | None = None,
        render_scale: float | None = None,
        colors: protocol.ColorProperties | None = None,
        compositor_pixel_format: str | None = None,
        compositor_timeout: float | None = None,
        subtitles: Iterable[Mapping[str, Any]] | None = None,
        text_layers: Iterable[Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__(
            frameDuration=MediaTime.of(frame_duration).to_wire(),
            renderSize={"width": size[0], "height": size[1]},
            instructions=[dict(instruction) for instruction in instructions],
        )
        if frame_timing is not None:
            self["sourceTrackIDForFrameTiming"] = track_number(frame_timing)
        if render_scale is not None:
            self["renderScale"] = render_scale
        if colors is not None:
            self["colorProperties"] = dict(colors)
        if compositor_pixel_format is not None:
            self["compositorPixelFormat"] = compositor_pixel_format
        if compositor_timeout is not None:
            self["compositorTimeoutMs"] = round(compositor_timeout * 1000)
        if subtitles is not None:
            self["subtitles"] = [dict(each) for each in subtitles]
        if text_layers is not None:
            self["textLayers"] = [dict(each) for each in text_layers]


def _transform(value: TransformLike) -> list[float]:
    numbers = list(value)
    if len(numbers) == 2:
        return [1, 0, 0, 1, *numbers]
    if len(numbers) != 6:
        raise ValueError(f"a transform is (tx, ty) or [a, b, c, d, tx, ty], not {value!r}")
    return numbers


def _rectangle(value: RectangleLike) -> dict[str, float]:
    if isinstance(value, Mapping):
        return dict(value)
    if len(value) != 4:
        raise ValueError(f"a rectangle is (x, y, width, height), not {value!r}")
    return dict(zip(("x", "y", "width", "height"), value))
