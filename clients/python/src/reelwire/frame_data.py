"""The callers' frames and audio, written into memory in the engine's form.

An array is copied once, into memory that the engine has mapped too.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import protocol
from .arrays import Array, picture_forms
from .picture_maps import arrays_of

__all__ = [
    "AudioForm",
    "PictureForm",
    "audio_form",
    "audio_samples",
    "is_picture",
    "is_pillow",
    "picture_form",
    "put_picture",
]

#: The pixel formats of arrays, by their numbers a pixel.
_BYTES = {1: "gray", 3: "rgb24", 4: "rgba"}
_WIDE = {1: "gray16le", 3: "rgb48le", 4: "rgba64le"}
#: The modes of Pillow's images, and the byte order of each pixel format.
_MODES = {
    **{"rgb24": ("RGB", "RGB"), "bgr24": ("RGB", "BGR"), "rgba": ("RGBA", "RGBA")},
    **{"bgra": ("RGBA", "BGRA"), "gray": ("L", "L"), "gray16le": ("I;16", "I;16")},
}
#: The sample formats of arrays, by NumPy's names of numbers.
_SAMPLES = {"uint8": "u8", "int16": "s16", "int32": "s32", "float32": "f32", "float64": "f64"}

#: More of them in an array are rather its samples.
_MAXIMUM_CHANNELS = 64


class PictureForm(NamedTuple):
    """The form of a frame: FFmpeg's name of its pixel format, and its size."""

    pixel_format: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.pixel_format} of {self.width}×{self.height}"


class AudioForm(NamedTuple):
    """The form of some audio."""

    sample_format: str
    channels: int


def is_pillow(frame: Any) -> bool:
    """True if it is an image of Pillow's, which may not be installed."""
    return hasattr(frame, "mode") and hasattr(frame, "convert") and hasattr(frame, "tobytes")


def picture_form(frame: Any) -> PictureForm:
    """The form of a frame without further information: an image of Pillow's, or an array of rows, columns and numbers."""
    if is_pillow(frame):
        has_alpha = "A" in frame.mode or "transparency" in frame.info
        gray = {"L": "gray", "1": "gray", "I;16": "gray16le"}.get(frame.mode)
        width, height = frame.size
        return PictureForm(gray or ("rgba" if has_alpha else "rgb24"), width, height)
    if isinstance(frame, (bytes, bytearray, memoryview, tuple, list)):
        raise TypeError("bytes and planes have no size of their own: state size and pixel_format")
    made = _array(frame)
    names = {"uint8": _BYTES, "uint16": _WIDE}.get(made.dtype.name)
    if names is None:
        raise TypeError(
            f"a picture is an array of uint8 or uint16, not of {made.dtype}: "
            "for example (255 * picture).astype('uint8')"
        )
    numbers = made.shape[2] if made.ndim == 3 else 1
    if made.ndim not in (2, 3) or numbers not in names:
        raise ValueError(
            f"a picture is an array of (height, width), or of (height, width, 3 or 4), not {made.shape}"
        )
    return PictureForm(names[numbers], made.shape[1], made.shape[0])


def is_picture(frames: Any) -> bool:
    """True for one picture instead of several: one of Pillow's, or an array without a dimension of frames.

    An array of three dimensions is a picture if the last one has 3 or 4 numbers, else frames in gray.
    """
    if is_pillow(frames):
        return True
    shape = tuple(getattr(frames, "shape", ()))
    return len(shape) == 2 or len(shape) == 3 and shape[2] in (3, 4)


def put_picture(frame: Any, image: protocol.ImageLayout, data: memoryview) -> None:
    """Writes a picture into memory of a layout: an array, planes, an image of Pillow's, or bytes."""
    if is_pillow(frame):
        frame = _pillow_bytes(frame, image)
    if isinstance(frame, (bytes, bytearray, memoryview)):
        _put_bytes(memoryview(frame).cast("B"), image, data)
        return
    targets = arrays_of(image, data)
    if not targets:
        raise TypeError(f"arrays of {image['pixelFormat']} aren't known: give its bytes")
    planes = list(frame) if isinstance(frame, (tuple, list)) else [frame]
    if len(planes) != len(targets):
        raise ValueError(f"{image['pixelFormat']} has {len(targets)} planes, not {len(planes)}")
    copyto = importlib.import_module("numpy").copyto
    for target, plane in zip(targets, planes):
        made = _array(plane)
        if made.shape == (*target.shape, 1):
            made = made[..., 0]
        if made.shape != target.shape or made.dtype.newbyteorder("=") != target.dtype:
            form = PictureForm(image["pixelFormat"], image["width"], image["height"])
            raise ValueError(
                f"the input takes {form}, an array of {target.shape} {target.dtype}, "
                f"not one of {made.shape} {made.dtype}"
            )
        copyto(target, made)


def _pillow_bytes(frame: Any, image: protocol.ImageLayout) -> bytes:
    name = image["pixelFormat"]
    if name not in _MODES:
        raise TypeError(f"an image of Pillow's is none of {name}: give arrays, or take rgb24")
    if frame.size != (image["width"], image["height"]):
        raise ValueError(
            f"the input takes {image['width']}×{image['height']} pixels, not {frame.width}×{frame.height}: "
            "resize the image, or make the input of its size"
        )
    mode, order = _MODES[name]
    converted = frame if frame.mode == mode else frame.convert(mode)
    return bytes(converted.tobytes("raw", order))


def _put_bytes(source: memoryview, image: protocol.ImageLayout, data: memoryview) -> None:
    """Pixels one after the other, plane after plane, without padding."""
    forms = picture_forms(image["pixelFormat"])
    lengths = [
        -(-image["width"] >> form.shift) * form.components * int(form.type[2:]) for form in forms
    ]
    wanted = sum(
        length * plane["height"] for length, plane in zip(lengths, image["planes"])
    ) or len(data)
    if len(source) != wanted:
        form = PictureForm(image["pixelFormat"], image["width"], image["height"])
        raise ValueError(f"the input takes {form}, {wanted} bytes, not {len(source)}")
    if not forms:
        data[:] = source
        return
    start = 0
    for length, plane in zip(lengths, image["planes"]):
        offset, step, rows = plane["offset"], plane["bytesPerRow"], plane["height"]
        if step == length:
            data[offset : offset + step * rows] = source[start : start + length * rows]
        else:
            for row in range(rows):
                target = offset + row * step
                at = start + row * length
                data[target : target + length] = source[at : at + length]
        start += length * rows


def audio_form(samples: Any, channels: int | None = None) -> AudioForm:
    """The form of some audio without further information: samples, samples × channels, or channels × samples.

    The last only if the number of channels is stated: both are arrays of two dimensions.
    """
    made = _array(samples)
    kind = _SAMPLES.get(made.dtype.name)
    if kind is None:
        raise TypeError(f"audio is an array of {', '.join(_SAMPLES)}, not of {made.dtype}")
    if made.ndim not in (1, 2) or made.ndim == 1 and channels not in (None, 1):
        raise ValueError(f"audio is an array of (samples, channels), not {made.shape}")
    found = made.shape[1] if made.ndim == 2 else 1
    if channels is not None and channels not in made.shape[1:]:
        if made.ndim == 1 or made.shape[0] == channels:
            return AudioForm(kind, channels)
        raise ValueError(f"the input has {channels} channels: no such array is {made.shape}")
    if channels is None and found > _MAXIMUM_CHANNELS:
        raise ValueError(
            f"{made.shape} would be {found} channels: state how many there are, AudioInput(channels=2)"
        )
    return AudioForm(kind, found)


def audio_samples(samples: Any, channels: int) -> Array:
    """An array of samples × channels in little-endian order."""
    made = _array(samples)
    if made.ndim == 1:
        made = made[:, None]
    elif made.shape[1] != channels:
        made = made.T
    return made.astype(made.dtype.newbyteorder("<"), copy=False)


def put_audio(samples: Array, data: memoryview) -> None:
    """Writes samples to the start of memory, one after the other."""
    numpy = importlib.import_module("numpy")
    target = numpy.frombuffer(data, dtype=samples.dtype, count=samples.size)
    numpy.copyto(target.reshape(samples.shape), samples)


def _array(data: Any) -> Array:
    numpy = importlib.import_module("numpy")
    if not isinstance(data, numpy.ndarray):
        kinds: Sequence[str] = ("__array_interface__", "__array__", "__dlpack__")
        if not any(hasattr(data, kind) for kind in kinds):
            raise TypeError(f"{type(data).__name__} is neither an array nor a picture")
    made: Array = numpy.asarray(data)
    return made
