"""The metadata, chapters and alternatives of an asset."""

from __future__ import annotations

from collections.abc import Iterable

from .blob import Blob, DeliveryLike, delivery_to_wire
from .calls import AssetCalls
from .metadata import TimedMetadataGroup, first_picture
from .remote import given
from .wire import listed

__all__ = ["AssetMetadata"]


class AssetMetadata(AssetCalls):
    """The metadata of an asset."""

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

        ``title_locale`` is one of ``available_chapter_locales``, and selects only titles in it; of
        ``preferred_languages`` the first available one counts, otherwise the file's first. With
        ``artwork`` chapters include their images, delivered by ``delivery``.
        """
        result = await self._request(
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
