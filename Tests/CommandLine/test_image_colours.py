"""The colours of images, compared with those that PyPI's `colour-science` computes of the same samples."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy
import pytest

from conftest import Program

with warnings.catch_warnings():
    # Of its own optional packages.
    warnings.simplefilter("ignore")
    colour = pytest.importorskip("colour", reason="colour-science isn't installed")

SIZE = 8
MATRICES = {"bt709": "ITU-R BT.709", "bt470bg": "ITU-R BT.601", "bt2020nc": "ITU-R BT.2020"}
PRIMARIES = {"bt2020": "ITU-R BT.2020", "smpte432": "Display P3"}


def film(folder: Path, samples: Any, bits: int, *tags: str) -> Path:
    """A frame of squares in the colours of `samples`, Y'CbCr without subsampling, as FFV1 holds it."""
    planes = numpy.repeat(numpy.asarray(samples).T[:, None, :], SIZE, axis=2).repeat(SIZE, axis=1)
    pixels = "yuv444p" if bits == 8 else f"yuv444p{bits}le"
    form = ["-f", "rawvideo", "-pix_fmt", pixels, "-video_size", f"{SIZE * len(samples)}x{SIZE}", "-i", "-"]
    path = folder / "film.mkv"
    command = ["ffmpeg", "-v", "error", "-y", *form, "-c:v", "ffv1", *tags, str(path)]
    subprocess.run(command, input=planes.astype("u1" if bits == 8 else "<u2").tobytes(), check=True)
    return path


def shown(program: Program, path: Path, *options: str) -> Any:
    """The colour of the middle of each square, from 0 to 1."""
    image = program("image", str(path), "-o", "-", "--format", "rgb48le", *options)
    assert image.returncode == 0, image.stderr
    rows = numpy.frombuffer(image.stdout, "<u2").reshape(SIZE, -1, SIZE, 3)
    return rows[SIZE // 2, :, SIZE // 2] / 65535


def random_signals(count: int = 40) -> Any:
    return numpy.vstack([numpy.zeros(3), numpy.ones(3), numpy.random.default_rng(7).random((count, 3))])


def samples_of(signals: Any, matrix: str, bits: int, isLimited: bool) -> Any:
    form = {"K": colour.WEIGHTS_YCBCR[MATRICES[matrix]], "out_bits": bits, "out_legal": isLimited}
    samples = colour.RGB_to_YCbCr(signals, in_legal=False, out_int=True, **form)
    return numpy.clip(samples, 0, 2**bits - 1).astype(int)


def signals_of(samples: Any, matrix: str, bits: int, isLimited: bool) -> Any:
    form = {"K": colour.WEIGHTS_YCBCR[MATRICES[matrix]], "in_bits": bits, "in_legal": isLimited}
    return colour.YCbCr_to_RGB(samples, in_int=True, out_legal=False, **form)


@pytest.mark.parametrize("isLimited", [True, False], ids=["limited", "full"])
@pytest.mark.parametrize("bits", [8, 10, 12])
@pytest.mark.parametrize("matrix", MATRICES)
def test_matrices_and_ranges(program: Program, matrix: str, bits: int, isLimited: bool) -> None:
    samples = samples_of(random_signals(), matrix, bits, isLimited)
    expected = numpy.clip(signals_of(samples, matrix, bits, isLimited), 0, 1)
    tags = ["-colorspace", matrix, "-color_range", "tv" if isLimited else "pc"]
    found = shown(program, film(program.folder, samples, bits, *tags))
    assert numpy.abs(found - expected).max() <= 1.01 / 65535


@pytest.mark.parametrize(
    ("transfer", "primaries"), [("smpte2084", "bt2020"), ("smpte2084", "smpte432"), ("arib-std-b67", "bt2020")]
)
def test_high_dynamic_range_becomes_bt709(program: Program, transfer: str, primaries: str) -> None:
    """Up to 90 nits, above which a curve compresses, and of colours that BT.709 has."""
    numbers = numpy.random.default_rng(11)
    # Greys, and colours near them.
    rgb = numbers.random((400, 1)) * 0.5 + numpy.append(numbers.random((300, 3)), numpy.zeros((100, 3)), 0) * 0.15
    space, target = colour.RGB_COLOURSPACES[PRIMARIES[primaries]], colour.RGB_COLOURSPACES["ITU-R BT.709"]
    samples = samples_of(rgb, "bt2020nc", 12, True)
    signals = signals_of(samples, "bt2020nc", 12, True)
    if transfer == "smpte2084":
        nits = colour.models.eotf_ST2084(numpy.clip(signals, 0, 1))
    else:
        nits = colour.models.eotf_BT2100_HLG(numpy.clip(signals, 0, 1), L_W=1000, gamma=1.2)
    matrix = colour.matrix_RGB_to_RGB(space, target, chromatic_adaptation_transform=None)
    light = (nits / 203) @ matrix.T
    isCompared = (nits.max(axis=1) < 90) & (light.min(axis=1) >= 0)
    assert isCompared.sum() > 100
    tags = ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv"]
    found = shown(program, film(program.folder, samples, 12, *tags))[isCompared]
    expected = colour.models.eotf_inverse_BT1886(light[isCompared], L_B=0, L_W=1)
    assert numpy.abs(found - expected).max() < 0.001


def test_kept_samples_are_the_signal(program: Program) -> None:
    samples = samples_of(random_signals(), "bt2020nc", 10, True)
    tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv"]
    found = shown(program, film(program.folder, samples, 10, *tags), "--keep-hdr")
    expected = numpy.clip(signals_of(samples, "bt2020nc", 10, True), 0, 1)
    assert numpy.abs(found - expected).max() <= 1.01 / 65535
