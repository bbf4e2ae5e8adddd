"""Reelwire: assets, exact images, exports and samples of media files, by an engine of its own.

>>> with Engine() as engine:
...     asset = engine.open("clip.mp4")
...     print(asset.duration, asset.tracks)
...     asset.image(1.5).save("frame.jpg")

``Engine`` waits for its answers, ``AsyncEngine`` is the same for asyncio.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .errors import *  # noqa: F403
from .errors import __all__ as _errors
from .version import VERSION

if TYPE_CHECKING:
    from .analysis import Loudness, SceneChange, SceneChanges, Silences
    from .asset import Asset, AsyncAsset
    from .asset_reader import (
        AssetReader,
        AssetReaderOutput,
        AsyncAssetReader,
        AsyncAssetReaderOutput,
    )
    from .asset_writer import (
        AssetWriter,
        AssetWriterInput,
        AsyncAssetWriter,
        AsyncAssetWriterInput,
        InputStatus,
        Transferred,
        WriterResult,
    )
    from .audio_mix import AudioMix
    from .audio_player import AsyncAudioPlayer, AudioPlayer
    from .audio_recorder import AsyncAudioRecorder, AudioRecorder, RecordedAudio
    from .capture_output import AsyncCaptureOutput, CaptureOutput, Photo
    from .capture_session import AsyncCaptureSession, CaptureConfiguration, CaptureSession
    from .recording import AsyncRecording, Recording, RecordingResult
    from .binary import find_binary
    from .blob import Blob
    from .clips import AsyncClip, AsyncClips, Clip, ClipLike, Clips
    from .composition import AsyncComposition, Composition, CompositionSegment
    from .compositor import CompositionFrame
    from .contact_sheet import ContactSheet, ContactSheetTile
    from .engine import AsyncEngine, Engine, join, write_video
    from .export_job import AsyncExportJob, ExportJob
    from .export_result import ExportEstimate, ExportPreflight, ExportResult, ExportStatus
    from .export_session import AsyncExportSession, ExportSession
    from .frames import AsyncFrames, Frames
    from .image_generator import AsyncImageGenerator, Image, ImageGenerator
    from .joins import JoinResult
    from .keys import ContainerFacts, KeyState, Size, TrackSegment
    from .level_observer import AsyncLevelObserver, LevelObserver
    from .library import (
        AsyncLibrary,
        AsyncLibraryCollection,
        Library,
        LibraryChange,
        LibraryChanges,
        LibraryCollection,
        ScanCounts,
        ScanError,
        ScanProgress,
        ScanLink,
        ScanResult,
    )
    from .library_fetch import AsyncFetchResult, FetchResult
    from .library_item import AsyncLibraryItem, LibraryItem, LibraryItemError, Thumbnail
    from .library_live import AsyncLiveResult, FetchResultChanges, FetchResultMove, LiveResult
    from .library_predicate import Q
    from .library_query import AsyncLibraryQuery, LibraryQuery
    from .media_selection import MediaSelectionGroup, MediaSelectionOption
    from .metadata import MetadataItem, TimedMetadataGroup
    from .planes import Plane
    from .player import Advance, AsyncPlayer, AsyncPlayerLooper, Player, PlayerLooper, Seek
    from .player_item import AsyncPlayerItem, PlayerItem
    from .playlists import MediaPlaylist, MultivariantPlaylist, PlaylistSegment
    from .previews import MediaPreview
    from .reader_outputs import AudioMixOutput, TrackOutput, VideoCompositionOutput
    from .sample import Chunk, Sample
    from .sample_buffer import SampleBuffer
    from .sample_cursor import AsyncSampleCursor, SampleCursor
    from .segments import HLSFolder, Segment, Segments
    from .tables import Table
    from .time import MediaTime, TimeLike
    from .time_range import TimeRange, TimeRangeLike
    from .time_observer import AsyncTimeObserver, Firing, TimeObserver
    from .track import AsyncTrack, Track
    from .video_composition import Instruction, Layer, VideoComposition
    from .video_output import AsyncVideoOutput, PlayerFrame, VideoOutput
    from .waveform import Waveform, WaveformChannel
    from .writer_inputs import AudioInput, StoredInput, TextInput, VideoInput
    from .writer_relations import InputGroup

__version__ = VERSION

__all__ = [
    "Advance",
    "Asset",
    "AssetReader",
    "AssetReaderOutput",
    "AssetWriter",
    "AssetWriterInput",
    "AsyncAsset",
    "AsyncAssetReader",
    "AsyncAssetReaderOutput",
    "AsyncAssetWriter",
    "AsyncAssetWriterInput",
    "AsyncAudioPlayer",
    "AsyncAudioRecorder",
    "AsyncClip",
    "AsyncClips",
    "AsyncComposition",
    "AsyncEngine",
    "AsyncExportJob",
    "AsyncExportSession",
    "AsyncFetchResult",
    "AsyncFrames",
    "AsyncImageGenerator",
    "AsyncLevelObserver",
    "AsyncLibrary",
    "AsyncLibraryCollection",
    "AsyncLibraryItem",
    "AsyncLibraryQuery",
    "AsyncLiveResult",
    "AsyncPlayer",
    "AsyncPlayerItem",
    "AsyncPlayerLooper",
    "AsyncSampleCursor",
    "AsyncTimeObserver",
    "AsyncTrack",
    "AsyncVideoOutput",
    "AudioInput",
    "AudioMix",
    "AudioMixOutput",
    "AudioPlayer",
    "AudioRecorder",
    "RecordedAudio",
    "RecordingResult",
    "Recording",
    "AsyncRecording",
    "CaptureSession",
    "CaptureConfiguration",
    "AsyncCaptureSession",
    "Photo",
    "CaptureOutput",
    "AsyncCaptureOutput",
    "Blob",
    "Chunk",
    "Clip",
    "ClipLike",
    "Clips",
    "Composition",
    "CompositionFrame",
    "CompositionSegment",
    "ContactSheet",
    "ContactSheetTile",
    "ContainerFacts",
    "Engine",
    "ExportEstimate",
    "ExportJob",
    "ExportPreflight",
    "ExportResult",
    "ExportSession",
    "ExportStatus",
    "FetchResult",
    "FetchResultChanges",
    "FetchResultMove",
    "Firing",
    "Frames",
    "HLSFolder",
    "Image",
    "ImageGenerator",
    "InputGroup",
    "InputStatus",
    "Instruction",
    "JoinResult",
    "KeyState",
    "Layer",
    "LevelObserver",
    "Library",
    "LibraryChange",
    "LibraryChanges",
    "LibraryCollection",
    "LibraryItem",
    "LibraryItemError",
    "LibraryQuery",
    "LiveResult",
    "Loudness",
    "MediaPlaylist",
    "MediaPreview",
    "MediaSelectionGroup",
    "MediaSelectionOption",
    "MediaTime",
    "MetadataItem",
    "MultivariantPlaylist",
    "Plane",
    "Player",
    "PlayerFrame",
    "PlayerItem",
    "PlayerLooper",
    "PlaylistSegment",
    "Q",
    "Sample",
    "SampleBuffer",
    "SampleCursor",
    "ScanCounts",
    "ScanError",
    "ScanProgress",
    "ScanLink",
    "ScanResult",
    "SceneChange",
    "SceneChanges",
    "Seek",
    "Segment",
    "Segments",
    "Silences",
    "Size",
    "StoredInput",
    "Table",
    "TextInput",
    "Thumbnail",
    "TimeLike",
    "TimeObserver",
    "TimeRange",
    "TimeRangeLike",
    "TimedMetadataGroup",
    "Track",
    "TrackOutput",
    "TrackSegment",
    "Transferred",
    "VideoComposition",
    "VideoCompositionOutput",
    "VideoInput",
    "VideoOutput",
    "Waveform",
    "WaveformChannel",
    "WriterResult",
    "find_binary",
    "join",
    "write_video",
]
__all__ += _errors

# Where each name is: a module is loaded when a name of it is used first, for that takes longer than many a script.
_MODULES = {
    "analysis": "Loudness SceneChange SceneChanges Silences",
    "asset": "Asset AsyncAsset",
    "asset_reader": "AssetReader AssetReaderOutput AsyncAssetReader AsyncAssetReaderOutput",
    "asset_writer": (
        "AssetWriter AssetWriterInput AsyncAssetWriter AsyncAssetWriterInput InputStatus "
        "Transferred WriterResult"
    ),
    "audio_mix": "AudioMix",
    "audio_player": "AsyncAudioPlayer AudioPlayer",
    "audio_recorder": "AsyncAudioRecorder AudioRecorder RecordedAudio",
    "capture_output": "AsyncCaptureOutput CaptureOutput Photo",
    "capture_session": "AsyncCaptureSession CaptureConfiguration CaptureSession",
    "recording": "AsyncRecording Recording RecordingResult",
    "binary": "find_binary",
    "blob": "Blob",
    "clips": "AsyncClip AsyncClips Clip ClipLike Clips",
    "composition": "AsyncComposition Composition CompositionSegment",
    "compositor": "CompositionFrame",
    "contact_sheet": "ContactSheet ContactSheetTile",
    "engine": "AsyncEngine Engine join write_video",
    "export_job": "AsyncExportJob ExportJob",
    "export_result": "ExportEstimate ExportPreflight ExportResult ExportStatus",
    "export_session": "AsyncExportSession ExportSession",
    "frames": "AsyncFrames Frames",
    "image_generator": "AsyncImageGenerator Image ImageGenerator",
    "joins": "JoinResult",
    "keys": "ContainerFacts KeyState Size TrackSegment",
    "level_observer": "AsyncLevelObserver LevelObserver",
    "library": (
        "AsyncLibrary AsyncLibraryCollection Library LibraryChange LibraryChanges "
        "LibraryCollection ScanCounts ScanError ScanLink ScanProgress ScanResult"
    ),
    "library_fetch": "AsyncFetchResult FetchResult",
    "library_item": "AsyncLibraryItem LibraryItem LibraryItemError Thumbnail",
    "library_live": "AsyncLiveResult FetchResultChanges FetchResultMove LiveResult",
    "library_predicate": "Q",
    "library_query": "AsyncLibraryQuery LibraryQuery",
    "media_selection": "MediaSelectionGroup MediaSelectionOption",
    "metadata": "MetadataItem TimedMetadataGroup",
    "planes": "Plane",
    "player": "Advance AsyncPlayer AsyncPlayerLooper Player PlayerLooper Seek",
    "player_item": "AsyncPlayerItem PlayerItem",
    "playlists": "MediaPlaylist MultivariantPlaylist PlaylistSegment",
    "previews": "MediaPreview",
    "reader_outputs": "AudioMixOutput TrackOutput VideoCompositionOutput",
    "sample": "Chunk Sample",
    "sample_buffer": "SampleBuffer",
    "sample_cursor": "AsyncSampleCursor SampleCursor",
    "segments": "HLSFolder Segment Segments",
    "tables": "Table",
    "time": "MediaTime TimeLike",
    "time_range": "TimeRange TimeRangeLike",
    "time_observer": "AsyncTimeObserver Firing TimeObserver",
    "track": "AsyncTrack Track",
    "video_composition": "Instruction Layer VideoComposition",
    "video_output": "AsyncVideoOutput PlayerFrame VideoOutput",
    "waveform": "Waveform WaveformChannel",
    "writer_inputs": "AudioInput StoredInput TextInput VideoInput",
    "writer_relations": "InputGroup",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if (module := _PLACES.get(name)) is not None:
        value = getattr(importlib.import_module(f".{module}", __name__), name)
    else:
        value = _submodule(name)
    globals()[name] = value
    return value


def _submodule(name: str) -> Any:
    missing = AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("_"):
        raise missing
    try:
        return importlib.import_module(f".{name}", __name__)
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise missing from None


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
