"""Samples on their way to an asset writer: the callers' values in the protocol's form."""

from __future__ import annotations

import base64
import functools
import os
from collections import deque
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Callable, NamedTuple

from . import protocol
from .blob import file_url
from .frame_data import (
    AudioForm,
    audio_form,
    audio_samples,
    picture_form,
    put_audio,
    put_picture,
)
from .picture import Picture
from .picture_maps import PictureMaps
from .remote import given
from .sample_buffer import SampleBuffer
from .time import MediaTime, TimeLike
from .transport import Transport
from .wire import time_to_wire
from .writer_inputs import AudioInput, VideoInput, WriterInput

__all__ = ["Appended", "SampleMaker"]

#: About how many bytes of pictures are allocated at a time.
_ALLOCATED = 16 << 20
#: The number of blocks of audio that are allocated, once one of that size was needed.
_BLOCKS = 4
#: Shorter audio is sent in its message.
_SMALL = 1 << 15
#: The number of samples of each channel in one buffer.
_SAMPLES = 1 << 14
_IMAGE = protocol.AppendedImage.__annotations__.keys()
_AUDIO = protocol.AppendedAudio.__annotations__.keys()
_ATTACHMENTS = protocol.AppendedAttachmentsInput.__annotations__.keys()


class Appended(NamedTuple):
    """A sample to send."""

    wire: dict[str, Any]
    #: The number of its bytes that are being sent.
    size: int
    #: The lease that it has, which ends when the engine takes it.
    lease: str | None = None


class _Part(NamedTuple):
    """A sample, or a part of one, before its bytes are written anywhere."""

    #: The number of its bytes.
    size: int
    #: Writes them, or hands them over, with the memory for them where that is needed.
    make: Callable[..., Appended]
    #: The size of that memory in bytes; 0 for the size of the input's pictures, None for none.
    memory: int | None = None


class SampleMaker:
    """Makes samples of the values that are appended to an input."""

    def __init__(
        self, transport: Transport, handle: str, settings: WriterInput, maps: PictureMaps
    ) -> None:
        self._transport = transport
        self._handle = handle
        self._settings = settings
        self._maps = maps
        #: Memory that pictures can be written to.
        self._blobs: deque[protocol.SharedBlob] = deque()
        self._layout: protocol.ImageLayout | None = None
        self._size = 0
        #: The number of frames so far.
        self._count = 0
        #: The time at which audio continues.
        self._end = Fraction(0)
        self._audio: AudioForm | None = None

    def parts(
        self, sample: Any, time: TimeLike | None, duration: TimeLike | None
    ) -> Iterator[_Part]:
        """The message of a sample."""
        if isinstance(sample, SampleBuffer):
            yield self._buffer(sample, time, duration)
        elif isinstance(self._settings, VideoInput):
            yield self._picture(sample, time, duration)
        elif isinstance(self._settings, AudioInput):
            yield from self._pcm(sample, time)
        elif isinstance(sample, str):
            yield self._text(sample, time, duration)
        else:
            raise TypeError(
                f"{type(sample).__name__} is nothing for this input: append sample buffers, or text"
            )

    async def ready(self, part: _Part) -> Appended:
        """The sample itself, with memory where it needs some."""
        if part.memory is None:
            return part.make()
        return part.make(await self._memory(part.memory))

    def close(self) -> None:
        """Returns memory that wasn't used."""
        while self._blobs:
            self._transport.release_later(self._blobs.popleft()["lease"])

    # Pictures

    def _picture(self, frame: Any, time: TimeLike | None, duration: TimeLike | None) -> _Part:
        settings: Any = self._settings
        if isinstance(frame, Picture):
            return self._image(frame, time, duration)
        times = self._picture_times(time, duration)
        if isinstance(frame, (str, os.PathLike)):
            return _Part(0, lambda: self._counted(Appended({**times, "imageURL": file_url(frame)}, 0)))
        if settings.form is None:
            if isinstance(frame, (bytes, bytearray, memoryview, tuple, list)):
                found = "pictures of a size that the input doesn't have"
            else:
                found = str(picture_form(frame))
            raise TypeError(f"the input has no size for {found}: VideoInput((width, height))")

        def make(blob: protocol.SharedBlob) -> Appended:
            assert self._layout is not None
            try:
                put_picture(frame, self._layout, self._maps.data(blob, is_writable=True))
            except BaseException:
                self._blobs.append(blob)
                raise
            lease = blob["lease"]
            bytes_ = {"kind": "shm", "lease": lease}
            return self._counted(Appended({**times, "blob": bytes_}, blob["size"], lease))

        return _Part(self._size, make, memory=0)

    def _image(self, image: Picture, time: TimeLike | None, duration: TimeLike | None) -> _Part:
        """A picture of an image generator."""
        layout = image.layout
        if layout is None:
            # Of a file's format: Pillow decodes it.
            return self._picture(image.to_pil(), _own(time, image), duration)
        times = self._picture_times(_own(time, image), duration)

        return _Part(
            image.blob.size,
            lambda: self._counted(self._handed(image.blob, {**times, "image": layout})),
        )

    def _picture_times(self, time: TimeLike | None, duration: TimeLike | None) -> dict[str, Any]:
        rate = getattr(self._settings, "frame_rate", None)
        if time is None:
            if rate is None:
                raise TypeError("a picture needs a time, or its input a frame rate")
            time = self._count / rate
        if duration is None and rate is not None:
            duration = 1 / rate
        return given(  # type: ignore[no-any-return]
            presentationTime=time_to_wire(time), duration=time_to_wire(duration)
        )

    async def _memory(self, size: int) -> protocol.SharedBlob:
        if size and size != self._size:
            self.close()
        if not self._blobs:
            if size:
                # A sample of audio is all of its block.
                count = _BLOCKS if size == self._size else 1
                params = given(input=self._handle, count=count, byteCount=size)
            else:
                count = max(1, min(4, _ALLOCATED // self._size)) if self._size else 1
                params = given(input=self._handle, count=count)
            result = await self._transport.request("assetWriter/allocate", params)
            self._layout = result.get("image")
            self._blobs.extend(result["blobs"])
            self._size = self._blobs[0]["size"]
        return self._blobs.popleft()

    # Audio

    def _pcm(self, samples: Any, time: TimeLike | None) -> Iterator[_Part]:
        settings: Any = self._settings
        form = audio_form(samples, settings.channels or (self._audio and self._audio.channels))
        self._audio = form
        array = audio_samples(samples, form.channels)
        rate = settings.sample_rate
        start = self._end if time is None else _fraction(time)
        for first in range(0, len(array), _SAMPLES):
            part = array[first : first + _SAMPLES]
            begin = start + Fraction(first, rate)
            shares = part.nbytes >= _SMALL and self._transport.shared_memory.limit >= _ALLOCATED
            yield _Part(
                part.nbytes, functools.partial(self._block, part, begin, form),
                memory=part.nbytes if shares else None,
            )

    def _block(
        self, part: Any, start: Fraction, form: AudioForm, blob: protocol.SharedBlob | None = None
    ) -> Appended:
        settings: Any = self._settings
        rate = settings.sample_rate
        duration = Fraction(len(part), rate)
        self._end = start + duration
        wire = {
            "presentationTime": time_to_wire(start),
            "duration": time_to_wire(duration),
            "blob": self._bytes(part, blob),
            "audio": {
                "sampleFormat": form.sample_format,
                "sampleRate": rate,
                "channels": form.channels,
            },
        }
        return Appended(wire, part.nbytes, blob["lease"] if blob else None)

    def _bytes(self, part: Any, blob: protocol.SharedBlob | None) -> dict[str, Any]:
        """Audio in the message, or in the memory that it has."""
        if blob is None:
            return {"kind": "inline", "data": base64.b64encode(part.tobytes()).decode()}
        put_audio(part, self._maps.data(blob, is_writable=True))
        return {"kind": "shm", "lease": blob["lease"]}

    # Samples, text

    def _buffer(
        self, sample: SampleBuffer, time: TimeLike | None, duration: TimeLike | None
    ) -> _Part:
        """A sample buffer of a reader, unchanged, or moved to another time."""
        wire: Any = sample._wire
        shown = MediaTime.of(wire["presentationTime"])
        decoded = sample.decode_time
        if time is not None:
            moved = MediaTime.of(time)
            decoded = None if decoded is None else decoded + (moved - shown)
            shown = moved
        attachments = _only(wire.get("attachments") or {}, _ATTACHMENTS)
        members = given(
            presentationTime=shown.to_wire(),
            decodeTime=None if decoded is None else decoded.to_wire(),
            duration=time_to_wire(duration) if duration is not None else wire.get("duration"),
            attachments=attachments or None,
            image=_only(wire["image"], _IMAGE) if wire.get("image") else None,
            audio=_only(wire["audio"], _AUDIO) if wire.get("audio") else None,
        )
        blob = sample.blob
        if blob is None:
            raise ValueError("a buffer without samples can't be appended")

        return _Part(blob.size, lambda: self._counted(self._handed(blob, members)))

    def _counted(self, appended: Appended) -> Appended:
        self._count += 1
        return appended

    def _handed(self, blob: Any, members: dict[str, Any]) -> Appended:
        size = blob.size
        taken = blob.handed_over(self._transport.shared_memory)
        return Appended({**members, "blob": taken}, size, taken.get("lease"))

    def _text(self, text: str, time: TimeLike | None, duration: TimeLike | None) -> _Part:
        if time is None or duration is None:
            raise TypeError("text needs a time and a duration")
        wire = {
            "presentationTime": time_to_wire(time),
            "duration": time_to_wire(duration),
            "text": text,
        }
        return _Part(0, lambda: Appended(wire, 0))


def _own(time: TimeLike | None, image: Any) -> Any:
    return image.actual_time if time is None and hasattr(image, "actual_time") else time


def _only(members: Mapping[str, Any], names: Any) -> dict[str, Any]:
    """The members of the engine's own samples that it accepts."""
    return {name: value for name, value in members.items() if name in names}


def _fraction(time: TimeLike) -> Fraction:
    exact = MediaTime.of(time)
    return Fraction(exact.value, exact.timescale)
