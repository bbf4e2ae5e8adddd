"""The bytes of pictures and of audio as NumPy arrays that lie where the bytes are.

NumPy is imported when the first array is made, and not before.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float32
    from numpy.typing import NDArray

    #: An array whose type of numbers follows from its contents.
    Array = NDArray[Any]
    FloatArray = NDArray[float32]
else:
    # NumPy may be missing when this runs.
    Array = FloatArray = Any

__all__ = ["Array", "ArrayLike", "FloatArray", "Layout", "PlaneForm", "array", "audio_layout"]
__all__ += ["converted", "picture_forms", "plane_layout"]

_AUDIO_TYPES = {"u8": "|u1", "s16": "<i2", "s32": "<i4", "f32": "<f4", "f64": "<f8"}
_PACKED = {"rgb24": 3, "bgr24": 3, "rgb48": 3, "bgr48": 3, "gray": 1, "ya8": 2, "ya16": 2}
_PACKED.update(dict.fromkeys(("rgba", "bgra", "argb", "abgr", "rgba64", "bgra64"), 4))
_PACKED.update(dict.fromkeys(("rgb0", "bgr0", "0rgb", "0bgr"), 4))
_WIDE = ("rgb48", "bgr48", "rgba64", "bgra64", "ya16")
#: By how many bits the width of chroma is shifted.
_CHROMA = {"420": 1, "422": 1, "444": 0, "440": 0, "411": 2, "410": 2}
_PLANAR = re.compile(r"(yuva?|gbrp|gbrap)j?(4\d\d)?p?(\d\d?)?")
_INTERLEAVED = {"nv12": 1, "nv21": 1, "nv16": 1, "nv24": 0, "nv42": 0}
_INTERLEAVED_WIDE = re.compile(r"p([024])1[0246]")


class PlaneForm(NamedTuple):
    """The layout of the rows of a plane."""

    #: The horizontal subsampling of a row, as a shift of bits.
    shift: int
    #: Numbers of a pixel.
    components: int
    #: The type of a number, in NumPy's notation: ``|u1``, ``<u2`` …
    type: str


class Layout(NamedTuple):
    """An array in a buffer."""

    shape: tuple[int, ...]
    #: Bytes from one element to the next, for each dimension.
    strides: tuple[int, ...]
    type: str
    #: Bytes before the first element.
    offset: int = 0

    def interface(self, data: memoryview) -> dict[str, Any]:
        """The array interface, version 3: how any library may see the bytes as an array."""
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.type,
            "data": data,
            "offset": self.offset,
        }


def array(data: memoryview, layout: Layout) -> Array:
    """An array over bytes in place; it keeps them alive."""
    global _ndarray
    if _ndarray is None:
        import numpy

        _ndarray = numpy.ndarray
    made: Array = _ndarray(layout.shape, layout.type, data, layout.offset, layout.strides)
    return made


_ndarray: Any = None


@functools.lru_cache(maxsize=64)
def picture_forms(pixel_format: str) -> tuple[PlaneForm, ...]:
    """The layouts of the planes of a pixel format of FFmpeg's; none for an unknown one."""
    order, name = "<", pixel_format
    if name.endswith(("le", "be")):
        order, name = "<" if name.endswith("le") else ">", name[:-2]
    byte, wide = "|u1", f"{order}u2"
    if name in _PACKED:
        return (PlaneForm(0, _PACKED[name], wide if name in _WIDE else byte),)
    if gray := re.fullmatch(r"gray(8|9|1[0246])", name):
        return (PlaneForm(0, 1, byte if gray[1] == "8" else wide),)
    if name in _INTERLEAVED:
        return PlaneForm(0, 1, byte), PlaneForm(_INTERLEAVED[name], 2, byte)
    if found := _INTERLEAVED_WIDE.fullmatch(name):
        return PlaneForm(0, 1, wide), PlaneForm(0 if found[1] == "4" else 1, 2, wide)
    found = _PLANAR.fullmatch(name)
    if not found or (found[2] is None) == found[1].startswith("yuv"):
        return ()
    number = byte if found[3] is None else wide
    full = PlaneForm(0, 1, number)
    if found[1].startswith("gb"):
        return (full,) * (4 if "a" in found[1] else 3)
    if found[2] not in _CHROMA:
        return ()
    chroma = PlaneForm(_CHROMA[found[2]], 1, number)
    return (full, chroma, chroma, full) if found[1] == "yuva" else (full, chroma, chroma)


def plane_layout(
    form: PlaneForm, width: int, height: int, bytes_per_row: int, offset: int = 0
) -> Layout:
    """The array of a plane, by the width of its picture: rows, columns, and numbers if several."""
    size = int(form.type[2:])
    columns = -(-width >> form.shift)
    if form.components == 1:
        return Layout((height, columns), (bytes_per_row, size), form.type, offset)
    pixel = size * form.components
    shape = (height, columns, form.components)
    return Layout(shape, (bytes_per_row, pixel, size), form.type, offset)


def audio_layout(
    sample_format: str, frames: int, channels: int, planes: Sequence[Any]
) -> Layout | None:
    """The array of audio: frames × channels when they alternate, else channels × frames."""
    kind = _AUDIO_TYPES.get(sample_format)
    if kind is None:
        return None
    size = int(kind[2:])
    offset = planes[0]["offset"] if planes else 0
    if len(planes) == 1:
        return Layout((frames, channels), (size * channels, size), kind, offset)
    step = planes[1]["offset"] - offset if planes else 0
    if any(plane["offset"] != offset + step * n for n, plane in enumerate(planes)):
        return None
    return Layout((channels, frames), (step, size), kind, offset)


class ArrayLike:
    """A source of an array, for NumPy and for all users of DLPack."""

    __slots__ = ()

    def to_ndarray(self) -> Array:
        """The array, without a copy."""
        raise NotImplementedError

    def _expose(self) -> None:
        """Called before the bytes are passed to code that may write to them."""
        raise NotImplementedError

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return converted(self.to_ndarray(), dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        """The array for other libraries, ``torch.from_dlpack(image)``, in the same memory.

        A copy for consumers without support for read-only arrays, and with NumPy before 2.1.
        """
        made = self.to_ndarray()
        try:
            capsule = made.__dlpack__(**options)
        except (BufferError, TypeError):
            return made.copy().__dlpack__()
        self._expose()
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # kDLCPU of dlpack.h


def converted(made: Array, dtype: Any, copy: bool | None) -> Array:
    """The contract of ``__array__``: another type only by a copy, and a copy only if allowed."""
    if dtype is not None and made.dtype != dtype:
        if copy is False:
            raise ValueError(f"an array of {made.dtype} is one of {dtype} only by a copy")
        return made.astype(dtype)
    return made.copy() if copy else made
