"""A sample buffer: a packet, a picture or a stretch of audio, and how its bytes are an array."""

from __future__ import annotations

import os
from typing import Any

from . import protocol, raster
from .arrays import Array, ArrayLike, Layout, array, audio_layout, picture_forms, plane_layout
from .blob import Blob
from .planes import Plane, picture_planes
from .remote import Remote
from .time import MediaTime

__all__ = ["SampleBuffer"]


class SampleBuffer(ArrayLike):
    """Samples of one track: a stored packet, a decoded picture, or a stretch of decoded audio.

    ``numpy.asarray(sample)`` is an array of its bytes, see ``to_ndarray``.
    """

    __slots__ = ("__weakref__", "_wire", "blob", "format")

    def __init__(
        self,
        wire: protocol.SampleBuffer,
        owner: Remote,
        format: protocol.FormatDescription | None,
        room: int | None = None,
    ) -> None:
        # Times and the like are made on demand: there may be thousands of buffers.
        self._wire = wire
        #: The format description that is in force.
        self.format = format
        blob = wire.get("blob")
        #: The bytes; ``None`` when there are no samples.
        self.blob = Blob(blob, owner, room) if blob else None

    @property
    def presentation_time(self) -> MediaTime:
        """The presentation time."""
        return MediaTime.of(self._wire["presentationTime"])

    @property
    def decode_time(self) -> MediaTime | None:
        """The decode time; only with samples as stored."""
        time = self._wire.get("decodeTime")
        return MediaTime.of(time) if time else None

    @property
    def duration(self) -> MediaTime:
        """The duration of its presentation."""
        return MediaTime.of(self._wire["duration"])

    @property
    def num_samples(self) -> int:
        """The number of samples; 0 for a buffer that only carries attachments."""
        return self._wire["numSamples"]

    @property
    def attachments(self) -> protocol.SampleAttachments:
        """Its attachments in addition to its bytes, for example ``notSync``."""
        return self._wire["attachments"]

    @property
    def image(self) -> protocol.ImageLayout | None:
        """The layout of the bytes as a frame."""
        return self._wire.get("image")

    @property
    def audio(self) -> protocol.AudioLayout | None:
        """The layout of the bytes as audio."""
        return self._wire.get("audio")

    @property
    def data(self) -> memoryview:
        """The bytes, none when there are no samples."""
        return memoryview(b"") if self.blob is None else self.blob.data

    @property
    def is_sync(self) -> bool:
        """True if decoding can begin here."""
        return not self.attachments.get("notSync", False)

    @property
    def planes(self) -> list[Plane]:
        """The planes of a decoded picture or of decoded audio."""
        image, audio = self.image, self.audio
        if image is not None:
            return picture_planes(self.data, image["pixelFormat"], image["width"], image["planes"])
        if audio is None:
            return []
        data, planes = self.data, []
        channels = audio["channels"] if len(audio["planes"]) == 1 else 1
        for part in audio["planes"]:
            layout = audio_layout(audio["sampleFormat"], audio["frames"], channels, [{"offset": 0}])
            if layout and len(audio["planes"]) > 1:
                layout = layout._replace(shape=layout.shape[:1], strides=layout.strides[:1])
            start, size = part["offset"], part["size"]
            planes.append(Plane(data[start : start + size], size, 1, layout))
        return planes

    def _layout(self) -> Layout:
        image, audio = self.image, self.audio
        if image is not None:
            name, planes = image["pixelFormat"], image["planes"]
            forms = picture_forms(name)
            if len(forms) != 1 or len(planes) != 1:
                raise TypeError(
                    f"a picture of {name} is no single array: make arrays of .planes[0] and so on"
                )
            (plane,) = planes
            return plane_layout(
                forms[0], image["width"], plane["height"], plane["bytesPerRow"], plane["offset"]
            )
        if audio is not None:
            kind, frames, channels = audio["sampleFormat"], audio["frames"], audio["channels"]
            layout = audio_layout(kind, frames, channels, audio["planes"])
            if layout is None:
                raise TypeError(f"sound of {kind} is no single array: make arrays of .planes")
            return layout
        return Layout((len(self.data),), (1,), "|u1")

    def to_ndarray(self) -> Array:
        """A read-only NumPy array that lies where the bytes are, and holds them.

        Pictures are rows × columns × components, without the third dimension for ``gray``; those of
        several planes have an array for each, ``sample.planes[0].to_ndarray()``. Audio is frames ×
        channels, or channels × frames when it is not interleaved. All else are bytes.
        """
        return array(self.data, self._layout())

    @property
    def __array_interface__(self) -> dict[str, Any]:
        try:
            return self._layout().interface(self.data)
        except TypeError as error:
            raise AttributeError(str(error)) from None

    def _expose(self) -> None:
        if self.blob is not None:
            self.blob.expose()

    def _raster(self) -> raster.Raster:
        image = self.image
        if image is not None:
            return raster.Raster(
                image["pixelFormat"], image["width"], image["height"], self.data, self.planes
            )
        kind = "" if self.blob is None else self.blob.mime_type.rpartition("/")[2]
        return raster.Raster(kind, 0, 0, self.data, ())

    def to_pil(self) -> raster.PILImage:
        """A decoded picture as a ``PIL.Image.Image``, which Pillow has to be there for."""
        return raster.to_pil(self._raster())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file, which is overwritten: pixels as a PNG file if the name has that extension,
        and with Pillow as other image files; the bytes unchanged under any other name.
        """
        raster.save(self._raster(), path)

    def _repr_png_(self) -> bytes | None:
        return raster.mime_bundle(self._raster()).get("image/png")

    def _repr_jpeg_(self) -> bytes | None:
        return raster.mime_bundle(self._raster()).get("image/jpeg")

    @property
    def text(self) -> str:
        """The bytes as text, of an output with ``text_format``."""
        return bytes(self.data).decode()

    def release(self) -> None:
        """Lets go of the bytes."""
        if self.blob is not None:
            self.blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self) -> SampleBuffer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        if self.image is not None:
            what = f"{self.image['width']}×{self.image['height']} {self.image['pixelFormat']}"
        elif self.audio is not None:
            what = f"{self.audio['frames']} frames {self.audio['sampleFormat']}"
        else:
            what = f"{self.num_samples} stored{' sync' if self.is_sync else ''}"
        size = 0 if self.blob is None else self.blob.size
        return f"<SampleBuffer at {self.presentation_time} {what} {size} bytes>"
