"""Parts of assets as values, which make no request until they are used: ``asset[1:3] + other``."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, cast, overload

from . import protocol
from .export_result import ExportResult
from .progress import ProgressLike
from .time import MediaTime, TimeLike
from .time_range import TimeRange
from .wire import ratio_to_wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .asset import Asset, AsyncAsset
    from .composition import AsyncComposition, Composition
    from .engine import Engine
    from .export_session import ExportOptions
    from .frames import AsyncFrames, Frames

__all__ = ["AsyncClip", "AsyncClips", "Clip", "ClipLike", "Clips", "Term", "clips_of", "sliced"]

A = TypeVar("A")
C = TypeVar("C", bound="_Clip[Any]")
S = TypeVar("S", bound="_Clips[Any]")
P = TypeVar("P", bound="_Clip[Any]")

#: A speed: a fraction or a string such as ``"1001/1000"`` is exact.
SpeedLike = Union[float, Fraction, str]
#: Times of an asset with their speeds.
SpeedPoints = Union[Mapping[TimeLike, SpeedLike], Iterable[tuple[TimeLike, SpeedLike]]]


class Term(Generic[C, S]):
    """A value that can be added and repeated: an asset, a clip, several clips."""

    def _clips(self) -> list[C]:
        """Its clips in a sum."""
        raise NotImplementedError

    def _sum(self, clips: Iterable[C]) -> S:
        raise NotImplementedError

    def __add__(self, other: Term[C, S]) -> S:
        if not isinstance(other, Term):
            return NotImplemented
        return self._sum([*self._clips(), *other._clips()])

    def __radd__(self, zero: int) -> S:
        # Where sum() begins.
        return self._sum(self._clips()) if zero == 0 else NotImplemented

    def __mul__(self, count: int) -> S:
        return self._sum(self._clips() * operator.index(count))

    __rmul__ = __mul__


@dataclass(frozen=True)
class _Clip(Generic[A]):
    #: The asset of which it is a part.
    asset: A
    #: The part; ``None`` for all of it. An infinite duration reaches to its end.
    time_range: TimeRange | None = None
    #: The speed: 2 takes half the time, -1 is backward.
    speed: Fraction = Fraction(1)
    #: Speeds at times of the asset, in place of ``speed``; ``None`` for one speed throughout.
    speeds: tuple[tuple[MediaTime, Fraction], ...] | None = None

    def at_speed(self: P, speed: SpeedLike) -> P:
        """The same part at a speed, 1 being its own: 2 takes half the time, 0.5 twice as long.

        A speed below zero is backward, pictures and audio. A ``Fraction``, or a string such as
        ``"1001/1000"``, is exact. Raises ``ValueError`` for zero, and unless it is finite.
        """
        return replace(self, speed=_exact_speed(speed), speeds=None)

    def at_speeds(self: P, points: SpeedPoints) -> P:
        """The same part at a speed that changes: ``asset[:2].at_speeds({0.5: 1, 1: "1/4"})``.

        ``points`` are times of the asset within the part, ascending, with their speeds, as a mapping
        or as pairs: 1 to 1,000. From one to the next the speed changes linearly over the time in
        which the part is shown, so that *s* seconds between the speeds *a* and *b* last exactly
        2 *s* / (*a* + *b*); before the first and after the last it is constant. Two pairs of the same
        time are a step. Speeds below zero, all of them, are backward. Raises ``ValueError`` for other
        speeds, and without points.
        """
        pairs = points.items() if isinstance(points, Mapping) else points
        exact = tuple((MediaTime.of(time), _exact_speed(speed)) for time, speed in pairs)
        if len({speed > 0 for _, speed in exact}) != 1:
            raise ValueError("speeds are all above zero, or all below it for backward")
        return replace(self, speed=Fraction(1), speeds=exact)

    @property
    def is_backward(self) -> bool:
        """True if the speed is below zero."""
        return (self.speeds[0][1] if self.speeds else self.speed) < 0

    def _insertion(self) -> dict[str, Any]:
        """The playback and the speeds of ``insert_time_range``, without a speed that is constant."""
        return {
            "playback": "reverse" if self.is_backward else None,
            "speed_ramp": None
            if self.speeds is None
            else [
                {"at": time.to_wire(), "speed": ratio_to_wire(abs(speed))}
                for time, speed in self.speeds
            ],
        }

    def __repr__(self) -> str:
        part = "" if self.time_range is None else f"{self.time_range} of "
        speed = "" if self.speed == 1 else f" at speed {self.speed}"
        if self.speeds is not None:
            listed = ", ".join(f"{time}: {speed}" for time, speed in self.speeds)
            speed = f" at speeds {{{listed}}}"
        return f"<{type(self).__name__} {part}{self.asset!r}{speed}>"


def _exact_speed(speed: SpeedLike) -> Fraction:
    try:
        exact = Fraction(repr(speed)) if isinstance(speed, float) else Fraction(speed)
    except (ValueError, OverflowError, ZeroDivisionError):
        exact = Fraction(0)
    if exact == 0:
        raise ValueError(f"a speed is finite and not zero, not {speed!r}")
    return exact


class _Clips(Sequence[C]):
    def __init__(self, clips: Iterable[C]) -> None:
        self._items = tuple(clips)
        if len({type(clip) for clip in self._items}) > 1:
            raise TypeError("clips of assets of an Engine and of an AsyncEngine can't be joined")

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> C: ...
    @overload
    def __getitem__(self: S, index: slice) -> S: ...
    def __getitem__(self: S, index: int | slice) -> C | S:
        return type(self)(self._items[index]) if isinstance(index, slice) else self._items[index]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._items == self._items

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {list(self._items)!r}>"


class _AsyncTerm(Term["AsyncClip", "AsyncClips"]):
    def _sum(self, clips: Iterable[AsyncClip]) -> AsyncClips:
        return AsyncClips(clips)

    async def composition(
        self, *, natural_size: tuple[float, float] | None = None
    ) -> AsyncComposition:
        """Makes a composition of them, one after the other."""
        clips = self._clips()
        transport = _first(clips).asset.transport
        return await transport.compose(transport, clips, natural_size)

    async def frames(
        self,
        format: protocol.ImageFormat = "rgb24",
        *,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
    ) -> AsyncFrames:
        """The frames of all of them, as ``frames`` of a composition."""
        async with await self.composition() as composition:
            return await composition.frames(
                format, maximum_size=maximum_size, width=width, height=height
            )

    async def export(
        self,
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
        **options: Unpack[ExportOptions],
    ) -> ExportResult:
        """Exports them, one after the other, to a new file, as ``export`` of an asset does.

        Their audio tracks stay separate, unless ``audio_tracks`` is ``"mix"`` or there is an ``audio_mix``.
        """
        async with await self.composition() as composition:
            return await composition.export(
                output,
                preset,
                progress=progress,
                progress_interval=progress_interval,
                **with_separate_tracks(options),
            )


class AsyncClip(_AsyncTerm, _Clip["AsyncAsset"]):
    """A part of an asset, at a speed: ``asset[1:3]``. A value, which makes no request."""

    def _clips(self) -> list[AsyncClip]:
        return [self]


class AsyncClips(_AsyncTerm, _Clips[AsyncClip]):
    """Clips one after the other: ``asset[1:3] + other``. A value, which makes no request."""

    def _clips(self) -> list[AsyncClip]:
        return list(self)


class _BlockingTerm(Term["Clip", "Clips"]):
    def _sum(self, clips: Iterable[Clip]) -> Clips:
        return Clips(clips)

    def composition(self, *, natural_size: tuple[float, float] | None = None) -> Composition:
        """Makes a composition of them, one after the other."""
        clips = self._clips()
        engine = cast("Engine", _first(clips).asset._parent)
        return engine.composition(clips, natural_size=natural_size)

    def frames(
        self,
        format: protocol.ImageFormat = "rgb24",
        *,
        maximum_size: float | tuple[float, float] | None = None,
        width: float | None = None,
        height: float | None = None,
    ) -> Frames:
        """The frames of all of them, as ``frames`` of a composition."""
        with self.composition() as composition:
            return composition.frames(
                format, maximum_size=maximum_size, width=width, height=height
            )

    def export(
        self,
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
        **options: Unpack[ExportOptions],
    ) -> ExportResult:
        """Exports them, one after the other, to a new file, as ``export`` of an asset does.

        Their audio tracks stay separate, unless ``audio_tracks`` is ``"mix"`` or there is an ``audio_mix``.
        """
        with self.composition() as composition:
            return composition.export(
                output,
                preset,
                progress=progress,
                progress_interval=progress_interval,
                **with_separate_tracks(options),
            )


class Clip(_BlockingTerm, _Clip["Asset"]):
    """A part of an asset, at a speed: ``asset[1:3]``. A value, which makes no request."""

    def _clips(self) -> list[Clip]:
        return [self]


class Clips(_BlockingTerm, _Clips[Clip]):
    """Clips one after the other: ``asset[1:3] + other``. A value, which makes no request."""

    def _clips(self) -> list[Clip]:
        return list(self)


#: The content of a composition: an asset, a clip, clips, or several of these.
ClipLike = Union[
    "AsyncAsset", "Asset", AsyncClip, Clip, "AsyncClips", "Clips", "Iterable[ClipLike]"
]


def clips_of(parts: ClipLike) -> list[AsyncClip | Clip]:
    """All clips of some content, in order."""
    if isinstance(parts, Term):
        return list(parts._clips())
    if isinstance(parts, (str, bytes)) or not isinstance(parts, Iterable):
        raise TypeError(
            "clips are assets, parts of them such as asset[1:3], or several of these, "
            f"not {parts!r}"
        )
    return [clip for part in parts for clip in clips_of(part)]


def sliced(index: Any) -> TimeRange | None:
    """The range of ``asset[1:3]``, ``asset[:2]``, ``asset[1:]``; ``None`` for ``asset[:]``."""
    if not isinstance(index, slice):
        raise TypeError(
            f"an asset is sliced by times, as in asset[1:3], not by {index!r}: an image is "
            "asset.image(time), and a frame by its number asset.frames()[number]"
        )
    if index.step is not None:
        raise TypeError("a part of an asset has no step: asset[1:3].at_speed(2) shows it faster")
    start = MediaTime.of(0 if index.start is None else index.start)
    end = MediaTime.infinity if index.stop is None else MediaTime.of(index.stop)
    if start < 0 or end <= start:
        raise ValueError(
            f"a part of an asset ends behind its start, and neither is negative, "
            f"not [{index.start}:{index.stop}]"
        )
    if start == 0 and index.stop is None:
        return None
    return TimeRange.between(start, end)


def _first(clips: Sequence[C]) -> C:
    if not clips:
        raise ValueError("there are no clips: a composition without any is engine.composition()")
    return clips[0]


def with_separate_tracks(options: ExportOptions) -> ExportOptions:
    """Options of an export of clips that follow each other: their languages and comments stay tracks of their own.

    The tracks of other compositions are mixed, as music and speech are, and so are those with an ``audio_mix``.
    """
    if options.get("audio_mix") is not None:
        return options
    separate: ExportOptions = {"audio_tracks": "separate"}
    return {**separate, **options}
