"""The keys of assets and tracks: their loading states, and their values."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, get_args

from . import protocol
from .errors import ValueNotLoadedError, error_from_wire
from .metadata import MetadataItem
from .remote import snake_to_camel
from .time import MediaTime
from .time_range import TimeRange

__all__ = ["ContainerFacts", "KeyState", "Size", "TrackSegment", "Values"]


class Size(NamedTuple):
    """A width and a height."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.width:g}×{self.height:g}"


class KeyState(NamedTuple):
    """The loading state of a key."""

    status: protocol.KeyStatus
    #: The value when it is loaded; ``None`` also for a key that is loaded and has none.
    value: Any
    #: The reason if it failed.
    error: Exception | None


class ContainerFacts(NamedTuple):
    """The properties of a file as a whole, in addition to its tracks and its metadata."""

    #: FFmpeg's name of the format, aliases included, for example ``mov,mp4,m4a,3gp,3g2,mj2``.
    format_name: str
    #: FFmpeg's name of the format for people, for example ``QuickTime / MOV``.
    format_long_name: str
    #: Of the file in bytes.
    size: int
    #: Of the whole file, in bits per second; ``None`` without a duration.
    bit_rate: float | None
    #: Of tracks, attached pictures, attachments and data.
    stream_count: int
    #: True if the file ends before its container states that it does; false means that it is not
    #: known to, as of transport streams, which state no end.
    is_cut_short: bool
    #: The minimum number of bytes that are missing at the end; ``None`` if none are known to be.
    missing_bytes: int | None
    #: True if at least one track is encrypted.
    is_encrypted: bool
    #: True if the container lists where its samples are.
    has_index: bool
    #: The character set of a file of subtitles, for example ``windows-1252``; ``None`` for other files.
    character_set: str | None = None
    #: Whether that is a guess: the file states none, and isn't UTF-8.
    character_set_is_guess: bool | None = None

    @classmethod
    def of(cls, wire: protocol.ContainerFacts) -> ContainerFacts:
        """Makes the facts from the protocol's form."""
        missing = wire.get("missingBytes")
        return cls(
            format_name=wire["formatName"],
            format_long_name=wire["formatLongName"],
            size=int(wire["size"]),
            bit_rate=wire.get("bitRate"),
            stream_count=wire["streamCount"],
            is_cut_short=wire["isCutShort"],
            missing_bytes=None if missing is None else int(missing),
            is_encrypted=wire["isEncrypted"],
            has_index=wire["hasIndex"],
            character_set=wire.get("characterSet"),
            character_set_is_guess=wire.get("characterSetIsGuess"),
        )


class TrackSegment(NamedTuple):
    """A part of a track's edit list: which part of its media is presented when."""

    #: The part of the media, on the media's clock; ``None`` when nothing is presented.
    source: TimeRange | None
    #: The time range, on the track's clock.
    target: TimeRange

    @property
    def is_empty(self) -> bool:
        """True if it presents nothing."""
        return self.source is None

    @classmethod
    def of(cls, wire: protocol.TrackSegment) -> TrackSegment:
        """Makes a segment from the protocol's form."""
        source, target = wire["timeMapping"]["source"], TimeRange.of(wire["timeMapping"]["target"])
        if wire["isEmpty"] or isinstance(source, str):
            return cls(None, target)
        return cls(TimeRange.of(source), target)


class Values:
    """The keys of an object that were loaded."""

    def __init__(self, what: str, keys: Any) -> None:
        self._what = what
        self._keys: tuple[str, ...] = get_args(keys)
        self._loaded: dict[str, Any] = {}

    def names(self, keys: tuple[str, ...]) -> dict[str, str]:
        """The names on the wire of keys in either spelling; by default all keys."""
        return {key: snake_to_camel(key) for key in keys or self._keys}

    def take(self, states: Any) -> dict[str, KeyState]:
        """Converts the engine's states of keys, and caches the loaded values."""
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


def _selection(wire: protocol.MediaSelection) -> dict[str, int | None]:
    return {choice["mediaCharacteristic"]: choice.get("trackID") for choice in wire["choices"]}


def _each(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda wires: [convert(wire) for wire in wires]


#: The conversions of the values of keys; those of other keys are unchanged.
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "duration": MediaTime.of,
    "minFrameDuration": MediaTime.of,
    "minimumTimeOffsetFromLive": MediaTime.of,
    "overallDurationHint": MediaTime.of,
    "timeRange": TimeRange.of,
    "segments": _each(TrackSegment.of),
    "totalSampleDataLength": int,
    "naturalSize": lambda wire: Size(**wire),
    "preferredTransform": tuple,
    "trackGroups": _each(lambda wire: wire["trackIDs"]),
    "creationDate": MetadataItem,
    "commonMetadata": _each(MetadataItem),
    "metadata": _each(MetadataItem),
    "preferredMediaSelection": _selection,
    "allMediaSelections": _each(_selection),
    "containerFacts": ContainerFacts.of,
}


def convert(name: str, value: Any) -> Any:
    """The value of a key as this client shows it; ``tracks`` is up to the asset."""
    if value is None or name not in _CONVERSIONS:
        return value
    return _CONVERSIONS[name](value)
