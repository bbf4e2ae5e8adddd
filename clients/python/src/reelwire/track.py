"""The tracks of an asset."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from . import protocol
from .errors import ValueNotLoadedError, error_from_wire
from .portal import Face, blocking
from .remote import given, snake_to_camel
from .time import MediaTime, TimeRange
from .transport import Transport

__all__ = ["AsyncTrack", "KeyState", "Size", "Track"]


class Size(NamedTuple):
    """A width and a height."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.width:g}×{self.height:g}"


class KeyState(NamedTuple):
    """How far the loading of a key is."""

    status: protocol.KeyStatus
    #: The value when it is loaded; ``None`` also for a key that is loaded and has none.
    value: Any
    #: Why it failed.
    error: Exception | None


class Values:
    """The keys of an object that were loaded."""

    def __init__(self, what: str, keys: Any) -> None:
        self._what = what
        self._keys: tuple[str, ...] = get_args(keys)
        self._loaded: dict[str, Any] = {}

    def names(self, keys: tuple[str, ...]) -> dict[str, str]:
        """The names on the wire of keys in either spelling; all keys when none is given."""
        return {key: snake_to_camel(key) for key in keys or self._keys}

    def take(self, states: Any) -> dict[str, KeyState]:
        """Converts what the engine says of keys, and keeps what is loaded."""
        taken = {}
        for name, wire in states.items():
            value = convert(name, wire.get("value"))
            error = error_from_wire(wire["error"]) if wire.get("error") else None
            if wire["status"] == "loaded":
                self._loaded[name] = value
            taken[name] = KeyState(wire["status"], value, error)
        return taken

    def all_of(self, names: dict[str, str], states: Any) -> dict[str, Any]:
        """The values of all keys; raises the error of the first that has none."""
        taken = self.take(states)
        for key, name in names.items():
            state = taken[name]
            if state.status != "loaded":
                raise state.error or ValueNotLoadedError(
                    f"{key} of {self._what} is {state.status}", hint="Load it again."
                )
        return {key: taken[name].value for key, name in names.items()}

    def get(self, key: str) -> Any:
        """A value that was loaded."""
        name = snake_to_camel(key)
        if name not in self._loaded:
            raise ValueNotLoadedError(
                f"{key} of {self._what} is not loaded",
                code=1003,
                name="valueNotLoaded",
                hint=f'Call load("{key}") first.',
            )
        return self._loaded[name]

    def __contains__(self, key: str) -> bool:
        return snake_to_camel(key) in self._loaded


def convert(name: str, value: Any) -> Any:
    """The value of a key as this client shows it; ``tracks`` is up to the asset."""
    if value is None:
        return None
    if name in ("duration", "minFrameDuration"):
        return MediaTime.of(value)
    if name == "timeRange":
        return TimeRange.of(value)
    if name == "naturalSize":
        return Size(**value)
    if name == "preferredTransform":
        return tuple(value)
    return value


class TrackFacts:
    """What a track is; the rest is loaded by key."""

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
        #: Whether it is presented by default.
        self.is_enabled: bool = wire["isEnabled"]
        #: Whether this engine can decode it.
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
        facts = [f"#{self.track_id}", self.media_type, self.media_sub_type, self.natural_size]
        facts.append(self.language_code)
        return f"<Track {' '.join(str(fact) for fact in facts if fact)}>"


class AsyncTrack(TrackFacts):
    """A track of an asset."""

    async def load(self, *keys: str) -> dict[str, Any]:
        """Loads keys, all when none is given, and returns their values.

        Raises the error of the first key that failed; the others stay loaded.
        """
        names = self._values.names(keys)
        params = given(
            asset=self._asset.handle,
            trackID=self.track_id,
            keys=list(dict.fromkeys(names.values())),
            completion="response",
        )
        result: Any = await self._transport.request("track/loadValues", params)
        return self._values.all_of(names, result["values"])

    async def status(self, *keys: str) -> dict[str, KeyState]:
        """How far keys are, without loading or waiting."""
        names = self._values.names(keys)
        params = given(
            asset=self._asset.handle,
            trackID=self.track_id,
            keys=list(dict.fromkeys(names.values())),
        )
        result = await self._transport.request("track/valueStatus", params)
        taken = self._values.take(result["values"])
        return {key: taken[name] for key, name in names.items()}


class Track(TrackFacts, Face):
    """A track of an asset."""

    _core: AsyncTrack

    def __init__(self, parent: Face, core: AsyncTrack) -> None:
        vars(self).update(vars(core))
        Face.__init__(self, parent, core)

    load = blocking(AsyncTrack.load)
    status = blocking(AsyncTrack.status)
