"""The common base of generated images: their bytes, their pixels, and their display."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from . import protocol, raster
from .arrays import Array, ArrayLike, Layout, array
from .blob import Blob
from .planes import Plane, only, picture_planes
from .remote import Remote, given

__all__ = ["Picture"]

P = TypeVar("P", bound="Picture")


class Picture(ArrayLike):
    """A picture and where its bytes are."""

    def __init__(self, wire: protocol.Image | None, owner: Remote) -> None:
        self._image = wire
        self._blob = Blob(wire["blob"], owner) if wire else None

    def _absence(self) -> Exception:
        """The reason why there is no image."""
        raise NotImplementedError

    def _wire(self) -> protocol.Image:
        if self._image is None:
            raise self._absence()
        return self._image

    @property
    def width(self) -> int:
        """The width in pixels."""
        return self._wire()["width"]

    @property
    def height(self) -> int:
        """The height in pixels."""
        return self._wire()["height"]

    @property
    def format(self) -> protocol.ImageFormat:
        """The format: a file's, such as ``jpeg``, or that of pixels, such as ``rgb24``."""
        return self._wire()["format"]

    @property
    def color(self) -> protocol.Color | None:
        """The colours of pixels: primaries, transfer function, matrix, range; None for a file."""
        return self._wire().get("color")

    @property
    def chroma_location(self) -> str | None:
        """The location of the chroma samples of YUV, for example ``left``; None if it is unspecified."""
        return self._wire().get("chromaLocation")

    @property
    def blob(self) -> Blob:
        """The bytes, wherever they are."""
        if self._blob is None:
            raise self._absence()
        return self._blob

    @property
    def data(self) -> memoryview:
        """The bytes; rows of pixels may be padded, see ``planes`` and ``packed``."""
        return self.blob.data

    @property
    def path(self) -> str | None:
        """The file, when it was delivered to one."""
        return self.blob.path

    @property
    def planes(self) -> list[Plane]:
        """The planes of a format of pixels; empty for the format of a file."""
        wire = self._wire()
        planes = wire.get("planes")
        return picture_planes(self.data, wire["format"], wire["width"], planes) if planes else []

    @property
    def layout(self) -> protocol.AppendedImage | None:
        """The layout of the pixels; ``None`` for the format of a file."""
        wire = self._wire()
        if wire.get("planes") is None:
            return None
        layout: Any = {name: wire.get(name) for name in ("width", "height", "planes", "color")}
        return given(pixelFormat=wire["format"], **layout)  # type: ignore[no-any-return]

    def _raster(self) -> raster.Raster:
        return raster.Raster(self.format, self.width, self.height, self.data, self.planes)

    def packed(self) -> bytes:
        """The pixels without padding: each plane's rows one after the other."""
        return raster.packed(self._raster())

    def to_ndarray(self) -> Array:
        """The pixels as a read-only NumPy array, rows × columns × components, without a copy.

        It has no third dimension for ``gray``, and one dimension for the bytes of a file's format.
        The planes of ``yuv420p`` are arrays of their own: ``image.planes[0].to_ndarray()``.
        """
        planes = self.planes
        if not planes:
            return array(self.data, Layout((len(self.data),), (1,), "|u1"))
        return only(planes, self.format).to_ndarray()

    def _expose(self) -> None:
        self.blob.expose()

    def to_pil(self) -> raster.PILImage:
        """The picture as a ``PIL.Image.Image``, which Pillow has to be there for."""
        return raster.to_pil(self._raster())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the image to a file, which is overwritten.

        Pixels become a PNG file if the name has that extension, and with Pillow other image files; under
        any other name they are written unchanged. A ``ValueError`` if the name
        has the extension of another image format.
        """
        raster.save(self._raster(), path)

    def _repr_png_(self) -> bytes | None:
        return self._shown("image/png")

    def _repr_jpeg_(self) -> bytes | None:
        return self._shown("image/jpeg")

    def _shown(self, mime_type: str) -> bytes | None:
        """For notebooks, which ask for each type that they know."""
        if self._image is None or (self.format == "jpeg") != (mime_type == "image/jpeg"):
            return None
        return raster.mime_bundle(self._raster()).get(mime_type)

    def release(self) -> None:
        """Lets go of the bytes."""
        if self._blob is not None:
            self._blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self: P) -> P:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def _facts(self) -> str:
        """Size, format and file, for ``repr``."""
        where = f" {self.path}" if self.path else ""
        return f"{self.width}×{self.height} {self.format}{where}"
