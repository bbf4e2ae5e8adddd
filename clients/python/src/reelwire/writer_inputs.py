"""The inputs of an asset writer, of which its tracks are made, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Union

from . import protocol
from .asset_reader import AsyncAssetReaderOutput
from .frame_data import PictureForm, picture_form
from .remote import given

__all__ = ["AudioInput", "RateLike", "StoredInput", "TextInput", "VideoInput", "WriterInput", "rate_of"]

#: Frames a second: 25, ``"30000/1001"``, or 29.97, which means that.
RateLike = Union[int, float, str, Fraction]
#: The encoding of an input's samples: settings like those of exports, or the name of a preset.
SettingsLike = Union[str, Mapping[str, Any], None]

#: Rates that are written with decimals, and mean a thousandth less of a whole number.
_NTSC = {24: 23.976, 30: 29.97, 48: 47.952, 60: 59.94, 120: 119.88}


def rate_of(rate: RateLike) -> Fraction:
    """Frames a second, exactly."""
    for whole, decimal in _NTSC.items():
        if isinstance(rate, float) and abs(rate - decimal) < 1e-9:
            return Fraction(whole * 1000, 1001)
    found = Fraction(rate).limit_denominator(1 << 20)
    if found <= 0:
        raise ValueError(f"a frame rate is above 0, not {rate!r}")
    return found


def _settings(settings: SettingsLike) -> dict[str, Any]:
    return {"preset": settings} if isinstance(settings, str) else dict(settings or {})


class VideoInput:
    """Frames to encode: ``VideoInput((1280, 720), frame_rate=30, settings={"codec": "hevc"})``.

    ``size`` and ``pixel_format`` are those of the arrays, bytes and images of Pillow's that are appended,
    and ``VideoInput.like(frame)`` copies them from one; image files and samples of readers need neither.
    With a ``frame_rate`` frames that are appended without a time follow one another. ``settings`` are
    ``{"codec", "width", "quality", "bitRate" …}`` as for ``"video"`` of an export, or the name of a preset;
    the default is the usual one in a file of that type.
    """

    media_type = "video"

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        pixel_format: str = "rgb24",
        *,
        frame_rate: RateLike | None = None,
        settings: str | protocol.VideoEncoding | Mapping[str, Any] | None = None,
        time_scale: int | None = None,
        transform: Sequence[float] | None = None,
        language: str | None = None,
        is_enabled: bool | None = None,
        real_time: bool | None = None,
    ) -> None:
        #: The form of the appended frames; ``None`` if every frame has its own.
        self.form = None if size is None else PictureForm(pixel_format, int(size[0]), int(size[1]))
        #: The number of frames without times in a second.
        self.frame_rate = None if frame_rate is None else rate_of(frame_rate)
        self._members = given(
            outputSettings=_settings(settings),
            mediaTimeScale=time_scale,
            transform=None if transform is None else list(transform),
            extendedLanguageTag=language,
            marksOutputTrackAsEnabled=is_enabled,
            expectsMediaDataInRealTime=real_time,
        )

    @classmethod
    def like(cls, frame: Any, **options: Any) -> VideoInput:
        """An input for pictures like one: an array of uint8 or uint16, or an image of Pillow's."""
        form = picture_form(frame)
        return cls((form.width, form.height), form.pixel_format, **options)

    def to_wire(self) -> dict[str, Any]:
        """The input as the protocol writes it."""
        attributes = None
        if self.form is not None:
            name, width, height = self.form
            attributes = {"pixelFormat": name, "width": width, "height": height}
        return given(  # type: ignore[no-any-return]
            mediaType="video", sourcePixelBufferAttributes=attributes, **self._members
        )


class AudioInput:
    """Audio to encode: ``AudioInput(sample_rate=48000, settings={"codec": "aac", "bitRate": 128000})``.

    Arrays that are appended are of that ``sample_rate``: (samples, channels), or (samples,) for one channel.
    With ``channels`` those of (channels, samples) are known as well, as ``asset.audio()`` returns them.
    """

    media_type = "audio"

    def __init__(
        self,
        sample_rate: int = 48000,
        *,
        channels: int | None = None,
        settings: str | protocol.AudioEncoding | Mapping[str, Any] | None = None,
        language: str | None = None,
        is_enabled: bool | None = None,
        real_time: bool | None = None,
    ) -> None:
        #: In hertz.
        self.sample_rate = sample_rate
        #: The number of channels of arrays; ``None`` for that of the first one.
        self.channels = channels
        self._members = given(
            outputSettings=_settings(settings),
            extendedLanguageTag=language,
            marksOutputTrackAsEnabled=is_enabled,
            expectsMediaDataInRealTime=real_time,
        )

    def to_wire(self) -> dict[str, Any]:
        """The input as the protocol writes it."""
        return {"mediaType": "audio", **self._members}


class TextInput:
    """Subtitles: text that is shown from a time on, for a duration."""

    media_type = "text"

    def __init__(
        self,
        *,
        subtitles: bool = True,
        codec: str | None = None,
        language: str | None = None,
        is_enabled: bool | None = None,
    ) -> None:
        self._members = given(
            mediaType="subtitle" if subtitles else "text",
            outputSettings=given(codec=codec),
            extendedLanguageTag=language,
            marksOutputTrackAsEnabled=is_enabled,
        )

    def to_wire(self) -> dict[str, Any]:
        """The input as the protocol writes it."""
        return dict(self._members)


class StoredInput:
    """Samples that are written unchanged: those of an output of a reader without settings.

    ``source`` is that output, or the track that it reads, or a format like those of sample buffers.
    """

    def __init__(
        self,
        source: Any,
        media_type: protocol.MediaType | None = None,
        *,
        time_scale: int | None = None,
        transform: Sequence[float] | None = None,
        language: str | None = None,
        is_enabled: bool | None = None,
    ) -> None:
        hint, found = _source(source)
        #: The media type of its samples.
        self.media_type = media_type or found
        if self.media_type is None:
            raise TypeError('what its samples are isn\'t known: StoredInput(output, "video")')
        self._members = given(
            sourceFormatHint=hint,
            mediaTimeScale=time_scale,
            transform=None if transform is None else list(transform),
            extendedLanguageTag=language,
            marksOutputTrackAsEnabled=is_enabled,
        )

    def to_wire(self) -> dict[str, Any]:
        """The input as the protocol writes it."""
        return {"mediaType": self.media_type, **self._members}


WriterInput = Union[VideoInput, AudioInput, TextInput, StoredInput]


def _source(source: Any) -> tuple[dict[str, Any], Any]:
    """The source of the format of stored samples, and their media type if it is known."""
    if isinstance(source, Mapping):
        return {"format": source}, next(
            (kind for kind in ("video", "audio") if source.get(kind)), None
        )
    core = getattr(source, "_core", source)
    if isinstance(core, AsyncAssetReaderOutput):
        track = getattr(core.read, "track", None)
        return {"fromOutput": core.handle}, track if isinstance(track, str) else None
    if hasattr(source, "track_id"):
        asset, number = source._asset, source.track_id
        return {"fromAsset": asset.handle, "trackID": number}, source.media_type
    raise TypeError(f"the source of samples is an output of a reader or a track, not {source!r}")
