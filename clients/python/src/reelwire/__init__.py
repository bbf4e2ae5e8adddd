"""Reelwire: assets, exact images, exports and samples of media files, by an engine of its own.

>>> with Engine() as engine:
...     asset = engine.open("clip.mp4")
...     print(asset.duration, asset.tracks)
...     asset.image(1.5).save("frame.jpg")

``Engine`` waits for its answers, ``AsyncEngine`` is the same for asyncio.
"""

from .asset import Asset, AsyncAsset
from .asset_reader import (
    AssetReader,
    AssetReaderOutput,
    AsyncAssetReader,
    AsyncAssetReaderOutput,
)
from .audio_mix import AudioMix
from .binary import find_binary
from .blob import Blob
from .clips import AsyncClip, AsyncClips, Clip, ClipLike, Clips
from .composition import AsyncComposition, Composition, CompositionSegment
from .compositor import CompositionFrame
from .contact_sheet import ContactSheet, ContactSheetTile
from .engine import AsyncEngine, Engine, join
from .errors import *  # noqa: F403
from .errors import __all__ as _errors
from .export_job import AsyncExportJob, ExportJob
from .export_result import ExportEstimate, ExportPreflight, ExportResult, ExportStatus
from .export_session import AsyncExportSession, ExportSession
from .frames import AsyncFrames, Frames
from .image_generator import AsyncImageGenerator, Image, ImageGenerator
from .joins import JoinResult
from .keys import ContainerFacts, KeyState, Size, TrackSegment
from .media_selection import MediaSelectionGroup, MediaSelectionOption
from .metadata import MetadataItem, TimedMetadataGroup
from .planes import Plane
from .reader_outputs import AudioMixOutput, TrackOutput, VideoCompositionOutput
from .sample import Chunk, Sample
from .sample_buffer import SampleBuffer
from .sample_cursor import AsyncSampleCursor, SampleCursor
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike
from .track import AsyncTrack, Track
from .video_composition import Instruction, Layer, VideoComposition
from .waveform import Waveform, WaveformChannel

__version__ = "0.1.0"

__all__ = [
    "Asset",
    "AssetReader",
    "AssetReaderOutput",
    "AsyncAsset",
    "AsyncAssetReader",
    "AsyncAssetReaderOutput",
    "AsyncClip",
    "AsyncClips",
    "AsyncComposition",
    "AsyncEngine",
    "AsyncExportJob",
    "AsyncExportSession",
    "AsyncFrames",
    "AsyncImageGenerator",
    "AsyncSampleCursor",
    "AsyncTrack",
    "AudioMix",
    "AudioMixOutput",
    "Blob",
    "Chunk",
    "Clip",
    "ClipLike",
    "Clips",
    "Composition",
    "CompositionFrame",
    "CompositionSegment",
    "ContactSheet",
    "ContainerFacts",
    "ContactSheetTile",
    "Engine",
    "ExportEstimate",
    "ExportJob",
    "ExportPreflight",
    "ExportResult",
    "ExportSession",
    "ExportStatus",
    "Frames",
    "Image",
    "ImageGenerator",
    "Instruction",
    "JoinResult",
    "KeyState",
    "Layer",
    "MediaSelectionGroup",
    "MediaSelectionOption",
    "MediaTime",
    "MetadataItem",
    "Plane",
    "Sample",
    "SampleBuffer",
    "SampleCursor",
    "Size",
    "TimeLike",
    "TimeRange",
    "TimeRangeLike",
    "TimedMetadataGroup",
    "Track",
    "TrackOutput",
    "TrackSegment",
    "VideoComposition",
    "VideoCompositionOutput",
    "Waveform",
    "WaveformChannel",
    "find_binary",
    "join",
]
__all__ += _errors
