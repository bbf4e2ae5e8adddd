"""Pictures of other sizes, whose sides are stretched independently."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

__all__ = ["resized"]


def resized(pixels: npt.NDArray[np.uint8], width: int, height: int) -> npt.NDArray[np.uint8]:
    """Images, as … × rows × columns × components, scaled to a size; unchanged if it is theirs."""
    rows, columns = pixels.shape[-3:-1]
    if (rows, columns) == (height, width):
        return pixels
    if pixels.ndim > 3:  # One by one: the numbers between are four times as large.
        return np.stack([resized(each, width, height) for each in pixels])
    made = pixels.astype(np.float32)
    if rows != height:
        made = np.tensordot(_weights(rows, height), made, axes=(1, 0))
    if columns != width:
        made = np.tensordot(made, _weights(columns, width), axes=(1, 1)).transpose(0, 2, 1)
    return np.ascontiguousarray(np.rint(made.clip(0, 255)), dtype=np.uint8)


@functools.lru_cache(maxsize=16)
def _weights(length: int, wanted: int) -> npt.NDArray[np.float32]:
    """The weights of ``length`` pixels in each of ``wanted``: a cubic, widened when it shrinks."""
    scale = length / wanted
    centres = (np.arange(wanted) + 0.5) * scale - 0.5
    reach = max(scale, 1.0)
    weights: npt.NDArray[np.float64] = np.zeros((wanted, length))
    first = np.floor(centres - 2 * reach).astype(int)
    for step in range(int(4 * reach) + 3):
        places = first + step
        found = _cubic(np.abs(places - centres) / reach)
        # Positions outside have the pixel at the edge.
        np.add.at(weights, (np.arange(wanted), places.clip(0, length - 1)), found)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights.astype(np.float32)


def _cubic(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """FFmpeg's bicubic kernel: B is 0, C is 0.6."""
    near = 1.4 * x**3 - 2.4 * x**2 + 1
    far = -0.6 * x**3 + 3 * x**2 - 4.8 * x + 2.4
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))
