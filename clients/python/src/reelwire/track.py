"""The tracks of an asset."""

from __future__ import annotations

from typing import Any, Union

from . import protocol
from .calls import BlockingTrackCalls, TrackCalls
from .keys import KeyState, Size, Values
from .portal import Face, blocking
from .remote import given
from .transport import Transport

__all__ = ["AsyncTrack", "Track", "TrackLike", "first_enabled"]


class TrackFacts:
    """The identity of a track; other properties are loaded by key."""

    def __init__(self, transport: Transport, asset: Any, wire: protocol.Track) -> None:
        self._transport = transport
        # It keeps the asset open.
        self._asset = asset
        #: The track's number, unique within the asset.
        self.track_id: int = wire["trackID"]
        #: ``video``, ``audio``, ``subtitle`` …
        self.media_type: protocol.MediaType = wire["mediaType"]
        #: The format as a four-character code, for example ``avc1``.
        self.media_sub_type: str | None = wire.get("mediaSubType")
        #: The traits of its media, for example ``visual``.
        self.media_characteristics: list[protocol.MediaCharacteristic] = wire[
            "mediaCharacteristics"
        ]
        #: True if it is presented by default.
        self.is_enabled: bool = wire["isEnabled"]
        #: True if this engine can decode it.
        self.is_decodable: bool = wire["isDecodable"]
        #: The language by ISO 639-2/T.
        self.language_code: str | None = wire.get("languageCode")
        #: The language by BCP 47.
        self.extended_language_tag: str | None = wire.get("extendedLanguageTag")
        size = wire.get("naturalSize")
        #: The size of the picture in pixels, before its transform.
        self.natural_size: Size | None = Size(**size) if size else None
        self._values: Values = asset.values_of_track(self.track_id)

    def __getitem__(self, key: str) -> Any:
        """The value of a key that was loaded, for example ``track["nominal_frame_rate"]``."""
        return self._values.get(key)

    def __repr__(self) -> str:
        code = (self.media_sub_type or "").strip()
        facts = [f"#{self.track_id}", self.media_type, code, self.natural_size, self.language_code]
        return f"<Track {' '.join(str(fact) for fact in facts if fact)}>"


class AsyncTrack(TrackFacts, TrackCalls):
    """A track of an asset."""

    async def load(self, *keys: str) -> dict[str, Any]:
        """Loads keys, by default all, and returns their values.

        Raises the error of the first key that failed; the others stay loaded.
        """
        names = self._values.names(keys)
        params = given(
            asset=self._asset.handle,
            trackID=self.track_id,
            keys=list(dict.fromkeys(names.values())),
            completion="response",
        )
        result: Any = await self._request("track/loadValues", params)
        return self._values.all_of(names, result["values"])

    async def status(self, *keys: str) -> dict[str, KeyState]:
        """The loading states of keys, without loading or waiting."""
        names = self._values.names(keys)
        params = given(
            asset=self._asset.handle,
            trackID=self.track_id,
            keys=list(dict.fromkeys(names.values())),
        )
        result = await self._request("track/valueStatus", params)
        taken = self._values.take(result["values"])
        return {key: taken[name] for key, name in names.items()}

    @property
    def _request(self) -> protocol.AsyncRequest:
        return self._transport.request

    def _made_associated_tracks(
        self, result: protocol.TrackAssociatedTracksResult
    ) -> list[AsyncTrack]:
        return [AsyncTrack(self._transport, self._asset, track) for track in result["tracks"]]


def first_enabled(tracks: list[AsyncTrack]) -> AsyncTrack | None:
    """The track to take where none is named: the first enabled one, else the first."""
    return next((track for track in tracks if track.is_enabled), next(iter(tracks), None))


class Track(TrackFacts, BlockingTrackCalls, Face):
    """A track of an asset."""

    _core: AsyncTrack

    def __init__(self, parent: Face, core: AsyncTrack) -> None:
        vars(self).update(vars(core))
        Face.__init__(self, parent, core)

    load = blocking(AsyncTrack.load)
    status = blocking(AsyncTrack.status)

    def associated_tracks(self, association_type: protocol.TrackAssociationType) -> list[Track]:
        """The tracks that belong to it in a certain way, for example its ``timecode``."""
        tracks = self._portal.call(self._core.associated_tracks, association_type)
        return [Track(self._parent, track) for track in tracks]


#: A track, or its number.
TrackLike = Union[AsyncTrack, Track, int]
