"""The types that type checkers infer of arrays and of new objects: by mypy, where it is installed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import reelwire

PROGRAM = """
import reelwire
from reelwire import jobs
from reelwire.compat.decord import VideoReader
from reelwire.compat.torchcodec import FrameBatch, VideoDecoder

def use(asset: reelwire.Asset, library: reelwire.Library, reader: VideoReader, decoder: VideoDecoder) -> None:
    frames = asset.frames()
    reveal_type(frames[0])
    reveal_type(frames[[1, 2]])
    reveal_type(frames[1:3].to_ndarray())
    reveal_type(asset.frames_at([1.5]))
    reveal_type(asset.audio())
    reveal_type(frames[0].to_ndarray())
    reveal_type(asset.preview(1, 4))
    reveal_type(library.videos.to_table("path"))
    reveal_type(jobs.Worker().run(jobs.FlatProbe(), "a.mp4"))
    reveal_type(reader.get_frame_timestamp(3))
    reveal_type(decoder.get_frames_at([1]))
    asset.preview(1, maximum_byte=3)
"""
#: A part of the type of each; its spelling depends on the versions of mypy and NumPy.
TYPES = [
    *["Image", "ndarray", "ndarray", "ndarray", "32", "ndarray", "MediaPreview", "Table"],
    *["dict", "float", "FrameBatch"],
]
CONFIGURATION = Path(reelwire.__file__).parents[2] / "pyproject.toml"


def test_types_are_inferred(tmp_path):
    pytest.importorskip("mypy")
    pytest.importorskip("numpy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    options = ("--config-file", CONFIGURATION, "--cache-dir", tmp_path / "cache")
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *options, program], stdout=subprocess.PIPE, text=True
    )
    found = re.findall(r'Revealed type is "(.*)"$', ended.stdout, re.M)
    assert len(found) == len(TYPES), ended.stdout
    for each, expected in zip(found, TYPES):
        assert expected in each, each
    (error,) = re.findall(r"error: (.*)", ended.stdout)
    assert "maximum_byte" in error
