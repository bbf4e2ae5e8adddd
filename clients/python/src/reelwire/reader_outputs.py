"""The outputs of a reader: a track, a mix of audio tracks, or frames composited of video tracks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union, cast

from . import protocol
from .remote import OWN, given, unless_own
from .track import AsyncTrack, Track, TrackLike

__all__ = ["AudioMixOutput", "ReaderOutput", "TrackOutput", "VideoCompositionOutput"]

def _numbers(tracks: Iterable[TrackLike]) -> tuple[int, ...]:
    return tuple(track if isinstance(track, int) else track.track_id for track in tracks)


#: Pictures of which nothing is wanted but their times.
TINY: Any = {"pixel_format": "gray", "width": 16, "height": 16}


class TrackOutput:
    """An output of a reader for a track, or the first of a media type.

    ``track`` is a track, its number, a media type, or a rule for the first matching track:
    ``{"mediaType": "audio", "language": "de"}``.

    Without settings the samples are as stored, in decode order. ``pixel_format`` (and ``width``,
    ``height``) or ``format`` (an image file's, and its ``quality``) decode pictures; ``sample_format`` (and ``sample_rate``,
    ``channels``, ``interleaved``) decodes audio; ``text_format="plain"`` makes text of subtitles,
    which a sample buffer has as ``text``. ``audio_time_pitch_algorithm`` is for audio that is scaled in
    time: ``"spectral"`` (the default), ``"timeDomain"`` or ``"varispeed"``. An output that ``supports_random_access`` can be
    ``reset`` to other time ranges once it has ended.
    """

    def __init__(
        self,
        track: TrackLike | protocol.MediaType | protocol.TrackRule,
        *,
        pixel_format: str | None = None,
        width: int | None = None,
        height: int | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        sample_format: str | None = None,
        sample_rate: int | None = None,
        channels: int | None = None,
        interleaved: bool | None = None,
        text_format: protocol.TextFormat | None = None,
        audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None,
        supports_random_access: bool | None = None,
    ) -> None:
        #: Its number, the media type, or the rule.
        self.track: int | protocol.MediaType | protocol.TrackRule = (
            track if isinstance(track, (int, str, dict)) else cast("AsyncTrack | Track", track).track_id
        )
        #: The conversion of audio that is scaled in time.
        self.audio_time_pitch_algorithm = audio_time_pitch_algorithm
        #: True if it can be read again from other ranges.
        self.supports_random_access = supports_random_access
        #: The form that samples are converted to; empty for samples as stored.
        self.settings: dict[str, Any] = given(
            pixelFormat=pixel_format,
            width=width,
            height=height,
            format=format,
            quality=quality,
            sampleFormat=sample_format,
            sampleRate=sample_rate,
            channels=channels,
            interleaved=interleaved,
            textFormat=text_format,
        )

    def to_wire(self) -> dict[str, Any]:
        """The output as the protocol writes it."""
        kinds = {int: "trackID", str: "mediaType"}
        track = {kinds.get(type(self.track), "track"): self.track}
        return given(  # type: ignore[no-any-return]
            type="track",
            settings=self.settings or None,
            audioTimePitchAlgorithm=self.audio_time_pitch_algorithm,
            supportsRandomAccess=self.supports_random_access,
            **track,
        )

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"<TrackOutput {self.track!r} {settings or 'as stored'}>"


class AudioMixOutput:
    """An output of a reader for audio tracks, mixed.

    The volume of each is that of ``audio_mix``, else of a composition's own mix, else the stored one.

    All audio tracks, or those that are named by number. The mix begins with the reader's range,
    is silent where no track has samples, and ends with the last track. By default ``sample_rate`` and
    ``channels`` are the highest among the tracks.
    """

    def __init__(
        self,
        *tracks: TrackLike,
        sample_format: str = "f32",
        sample_rate: int | None = None,
        channels: int | None = None,
        interleaved: bool | None = None,
        audio_mix: Mapping[str, Any] | None = OWN,
        audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None,
    ) -> None:
        #: Their volumes over time; ``None`` for their own volume, even if the asset has a mix.
        self.audio_mix = audio_mix
        #: The numbers of the tracks that are mixed; none for all audio tracks.
        self.tracks = _numbers(tracks)
        #: The conversion of audio that is scaled in time.
        self.audio_time_pitch_algorithm = audio_time_pitch_algorithm
        #: The form that the sum is converted to.
        self.settings: dict[str, Any] = given(
            sampleFormat=sample_format,
            sampleRate=sample_rate,
            channels=channels,
            interleaved=interleaved,
        )

    def to_wire(self) -> dict[str, Any]:
        """The output as the protocol writes it."""
        tracks = list(self.tracks) or None
        return given(  # type: ignore[no-any-return]
            type="audioMix",
            trackIDs=tracks,
            settings=self.settings,
            audioTimePitchAlgorithm=self.audio_time_pitch_algorithm,
        ) | unless_own(audioMix=self.audio_mix)

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        tracks = ", ".join(str(track) for track in self.tracks) or "all tracks"
        return f"<AudioMixOutput {tracks} {settings}>"


class VideoCompositionOutput:
    """An output of a reader for the frames that a video composition makes of video tracks.

    The composition is ``video_composition``, else the asset's own, which a composition may have. All
    video tracks can be shown, or those that are named by number. Pictures are raw, of
    ``pixel_format``, unless ``format`` makes image files of them.
    """

    def __init__(
        self,
        *tracks: TrackLike,
        video_composition: Mapping[str, Any] | None = None,
        pixel_format: str = "rgb24",
        width: int | None = None,
        height: int | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        supports_random_access: bool | None = None,
    ) -> None:
        #: The video composition; ``None`` for the asset's own.
        self.video_composition = video_composition
        #: The numbers of the tracks that can be shown; none for all video tracks.
        self.tracks = _numbers(tracks)
        #: True if it can be read again from other ranges.
        self.supports_random_access = supports_random_access
        #: The form that frames are converted to.
        self.settings: dict[str, Any] = given(
            pixelFormat=pixel_format if format is None else None,
            width=width,
            height=height,
            format=format,
            quality=quality,
        )

    def to_wire(self) -> dict[str, Any]:
        """The output as the protocol writes it."""
        return given(  # type: ignore[no-any-return]
            type="videoComposition",
            trackIDs=list(self.tracks) or None,
            videoComposition=self.video_composition,
            settings=self.settings,
            supportsRandomAccess=self.supports_random_access,
        )

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        tracks = ", ".join(str(track) for track in self.tracks) or "all tracks"
        return f"<VideoCompositionOutput {tracks} {settings}>"


ReaderOutput = Union[TrackOutput, AudioMixOutput, VideoCompositionOutput]
