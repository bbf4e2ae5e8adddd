"""The metadata, chapters and alternatives of an asset."""

from __future__ import annotations

from collections.abc import Iterable

from . import protocol
from .blob import Blob, DeliveryLike, delivery_to_wire
from .media_selection import MediaSelectionGroup
from .metadata import MetadataItem, TimedMetadataGroup, first_picture
from .remote import Remote, given, listed
from .track import TrackLike, track_number

__all__ = ["AssetMetadata"]


class AssetMetadata(Remote):
    """The metadata of an asset."""

    async def load_metadata(
        self,
        track: TrackLike | None = None,
        *,
        format: str | None = None,
        identifier: str | None = None,
        key: str | None = None,
        key_space: str | None = None,
        common_key: str | None = None,
        preferred_languages: Iterable[str] | None = None,
        for_sharing: bool | None = None,
        delivery: DeliveryLike | None = None,
    ) -> list[MetadataItem]:
        """The metadata of the asset, or of a track, with the bytes of data however many.

        Each filter narrows the list; ``preferred_languages`` also sorts it, and ``for_sharing``
        leaves out items that identify a place or a person. A file's path as
        ``delivery`` needs a ``%d`` or ``%03d`` when several items have data.
        """
        result = await self.transport.request(
            "asset/metadata",
            given(
                asset=self.handle,
                trackID=None if track is None else track_number(track),
                format=format,
                identifier=identifier,
                key=key,
                keySpace=key_space,
                commonKey=common_key,
                preferredLanguages=listed(preferred_languages),
                forSharing=for_sharing,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return [MetadataItem(item, self) for item in result["metadata"]]

    async def artwork(self) -> Blob | None:
        """The first picture of its metadata, with the bytes of the file; ``None`` without one.

        For all of them use ``load_metadata(common_key="artwork")``.
        """
        return first_picture(await self.load_metadata(common_key="artwork"))

    async def chapters(
        self,
        title_locale: str | None = None,
        *,
        preferred_languages: Iterable[str] | None = None,
        artwork: bool = False,
        delivery: DeliveryLike | None = None,
    ) -> list[TimedMetadataGroup]:
        """The chapters in order of time, with their titles.

        ``title_locale`` is one of ``available_chapter_locales``, and gives only titles in it; of
        ``preferred_languages`` the first that there is counts, else the file's first. With
        ``artwork`` chapters that have pictures have them, delivered by ``delivery``.
        """
        result = await self.transport.request(
            "asset/chapterMetadataGroups",
            given(
                asset=self.handle,
                titleLocale=title_locale,
                bestMatchingPreferredLanguages=listed(preferred_languages),
                containingItemsWithCommonKeys=["artwork"] if artwork else None,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return [TimedMetadataGroup(group, self) for group in result["groups"]]

    async def media_selection_group(
        self,
        media_characteristic: protocol.MediaCharacteristic,
        *,
        playable: bool | None = None,
        with_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        without_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        preferred_languages: Iterable[str] | None = None,
    ) -> MediaSelectionGroup | None:
        """The options for ``"audible"``, ``"legible"`` or ``"visual"``; ``None`` without any.

        Each filter narrows the options; ``preferred_languages`` also sorts them.
        """
        result = await self.transport.request(
            "asset/mediaSelectionGroup",
            given(
                asset=self.handle,
                mediaCharacteristic=media_characteristic,
                playable=playable,
                withMediaCharacteristics=listed(with_media_characteristics),
                withoutMediaCharacteristics=listed(without_media_characteristics),
                preferredLanguages=listed(preferred_languages),
            ),
        )
        group = result.get("group")
        return None if group is None else MediaSelectionGroup(group)
