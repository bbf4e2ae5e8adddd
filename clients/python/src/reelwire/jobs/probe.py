"""The properties of a file, as a job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from .. import protocol
from ..track import AsyncTrack
from .fields import key_names
from .job import Job, JobContext
from .values import ProbedTrack

__all__ = ["Probe"]


@dataclass(frozen=True, eq=False, repr=False)
class Probe(Job[dict[str, Any]]):
    """Loads keys of an asset: a dict of their values, by the names in the job.

    The values are those of ``Asset.load``, but tracks are ``ProbedTrack``. ``Probe(())`` loads all
    keys, which takes longer.
    """

    #: Keys of the asset, such as ``"duration"``, ``"tracks"``, ``"metadata"`` and ``"container_facts"``.
    keys: Iterable[str] = ("duration", "tracks")
    #: Keys of each track, such as ``"nominal_frame_rate"`` and ``"format_descriptions"``.
    track_keys: Iterable[str] = ()
    #: True if the file is scanned for an exact duration.
    prefer_precise_duration_and_timing: bool | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        keys = key_names(self.keys, get_args(protocol.AssetKey), "keys of an asset")
        track_keys = key_names(self.track_keys, get_args(protocol.TrackKey), "keys of a track")
        if track_keys and keys and "tracks" not in keys:
            raise ValueError('track_keys are those of "tracks", which keys has to have, too')
        self._set(keys=keys, track_keys=track_keys)

    async def perform(self, context: JobContext) -> dict[str, Any]:
        """The values of the keys."""
        async with context.open(
            prefer_precise_duration_and_timing=self.prefer_precise_duration_and_timing,
            salvage=self.salvage,
        ) as asset:
            values = await asset.load(*self.keys)
            if values.get("tracks"):
                values["tracks"] = [await self._probed(track) for track in values["tracks"]]
            return values

    async def _probed(self, track: AsyncTrack) -> ProbedTrack:
        keys = tuple(self.track_keys)
        return ProbedTrack(
            track_id=track.track_id,
            media_type=track.media_type,
            media_sub_type=track.media_sub_type,
            media_characteristics=track.media_characteristics,
            is_enabled=track.is_enabled,
            is_decodable=track.is_decodable,
            language_code=track.language_code,
            extended_language_tag=track.extended_language_tag,
            natural_size=track.natural_size,
            values=await track.load(*keys) if keys else {},
        )
