"""Joining files: copied where that is possible, else encoded with a preset of the caller's."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union

from . import protocol
from .asset import Asset, AsyncAsset
from .clips import AsyncClip, AsyncClips, Clip, Clips, with_separate_tracks
from .composition import AsyncComposition
from .errors import (
    FormatUnsupportedError,
    OperationNotSupportedForAssetError,
    OperationNotSupportedForPresetError,
)
from .export_result import ExportPreflight, ExportResult
from .media_bytes import MediaLike
from .progress import ProgressLike

if TYPE_CHECKING:
    from .export_session import ExportOptions

__all__ = ["JoinLike", "JoinResult", "exported"]

#: A source of a join: a file, or anything else that ``open`` accepts, an asset, or parts of assets.
JoinLike = Union[MediaLike, AsyncAsset, Asset, AsyncClip, Clip, AsyncClips, Clips]


#: The errors of a refusal to copy: a file that doesn't hold the format, or parts that don't go together.
_NOT_COPIED = (
    FormatUnsupportedError,
    OperationNotSupportedForAssetError,
    OperationNotSupportedForPresetError,
)


class JoinResult(ExportResult):
    """The file that a join has made, and how."""

    def __init__(
        self, made: ExportResult, preset: str, plan: ExportPreflight, refused: list[str]
    ) -> None:
        vars(self).update(vars(made))
        #: The preset that it was made with: ``Passthrough`` unless something was refused.
        self.preset = preset
        #: The treatment of each track, and in ``segments`` that of each part of it, with the reason.
        self.tracks: list[protocol.PlannedTrack] = plan.tracks
        #: The reasons why the parts couldn't be copied; empty if they were.
        self.refused = refused

    @property
    def is_lossless(self) -> bool:
        """True if everything was copied, and nothing encoded, not even at the edges of a part."""
        return all(
            part["treatment"] == "copied"
            for track in self.tracks
            for part in [track, *track.get("segments", ())]
        )

    def __repr__(self) -> str:
        fates = []
        for track in self.tracks:
            parts: list[str] = [part["treatment"] for part in track.get("segments", ())]
            parts = parts or [track["treatment"]]
            fates.append(f"{track['mediaType']} {' and '.join(dict.fromkeys(parts))}")
        return f"<JoinResult {self.path!r} {self.preset}: {', '.join(fates)}>"


async def exported(
    composition: AsyncComposition,
    output: str | os.PathLike[str],
    preset: str | None,
    progress: ProgressLike,
    options: ExportOptions,
) -> JoinResult:
    """Exports a composition by copying, else with ``preset``, if there is one."""
    refused: list[str] = []
    options = with_separate_tracks(options)
    try:
        async with await composition.export_session(output, "Passthrough", **options) as session:
            plan = await session.preflight()
            refused = _refused(plan.tracks)
            if not refused or preset is None:
                # A refusal is an error of this, which has the reasons.
                made = await session.export(progress=progress)
                return JoinResult(made, "Passthrough", plan, refused)
    except _NOT_COPIED as error:
        if preset is None:
            raise
        refused.append(error.message)
    assert preset is not None
    # How to copy is nothing to an encoder.
    rest: ExportOptions = {**options, "joins": None, "trim_mode": None}
    async with await composition.export_session(output, preset, **rest) as session:
        plan = await session.preflight()
        return JoinResult(await session.export(progress=progress), preset, plan, refused)


def _refused(tracks: Iterable[protocol.PlannedTrack]) -> list[str]:
    """The reasons why parts of tracks can't be copied."""
    parts: list[Any] = [part for track in tracks for part in track.get("segments", ())]
    return [part.get("reason", "") for part in parts if part["treatment"] == "refused"]
