"""The calls that are on the wire as they are here, for each kind of object.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

A class ``…Calls`` is the base of an object's own class, and ``Blocking…Calls`` the same for those
who wait. Calls that need more than that are written by hand in the object's module.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import protocol
from .analysis import Loudness, SceneChanges, Silences
from .blob import DeliveryLike, absolute_path, delivery_to_wire
from .contact_sheet import ContactSheet
from .errors import ReelwireError, error_from_wire
from .export_result import ExportEstimate, ExportPreflight, ExportResult, ExportStatus, Exporter
from .keys import TrackSegment
from .library_changes import LibraryChanges
from .library_predicate import absolute_folder
from .media_selection import MediaSelectionGroup
from .metadata import MetadataItem
from .portal import blocking
from .progress import ProgressLike
from .remote import Caller, OWN, Remote, given, unless_own
from .sample import Chunk, Sample
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike
from .waveform import Waveform
from .wire import cursor_position, listed, reader_status, time_range_to_wire, time_to_wire, track_number
from .work import done

if TYPE_CHECKING:
    from .asset import Asset, AsyncAsset
    from .asset_writer import WriterState
    from .composition import AsyncComposition, CompositionSegment, ItemLike
    from .image_generator import Image
    from .library import AsyncLibraryCollection, ScanProgressLike, ScanResult
    from .library_item import AsyncLibraryItem
    from .player_item import AsyncPlayerItem, PlayerItem
    from .progress import ProgressLike
    from .sample_cursor import AsyncSampleCursor, SampleCursor
    from .track import AsyncTrack, TrackLike
    from .writer_inputs import WriterInput

__all__ = [
    "AssetCalls",
    "AssetReaderCalls",
    "AssetWriterCalls",
    "AudioPlayerCalls",
    "AudioPlayerMeters",
    "AudioPlayerState",
    "AudioRecorderCalls",
    "AudioRecorderMeters",
    "AudioRecorderState",
    "BlockingAssetCalls",
    "BlockingAssetReaderCalls",
    "BlockingAssetWriterCalls",
    "BlockingAudioPlayerCalls",
    "BlockingAudioRecorderCalls",
    "BlockingCaptureOutputCalls",
    "BlockingCaptureSessionCalls",
    "BlockingCompositionCalls",
    "BlockingEngineCalls",
    "BlockingExportSessionCalls",
    "BlockingImageGeneratorCalls",
    "BlockingLibraryCalls",
    "BlockingOutputCalls",
    "BlockingPlayerCalls",
    "BlockingPlayerItemCalls",
    "BlockingPlayerLooperCalls",
    "BlockingSampleCursorCalls",
    "BlockingTrackCalls",
    "BlockingVideoOutputCalls",
    "CaptureOutputCalls",
    "CaptureOutputLevels",
    "CaptureOutputRecordingState",
    "CaptureSessionAdvanceClock",
    "CaptureSessionCalls",
    "CaptureSessionState",
    "CompositionAddTrack",
    "CompositionCalls",
    "CompositionInsertEmptyTimeRange",
    "CompositionInsertTimeRange",
    "CompositionInsertTimeRanges",
    "CompositionRemoveTimeRange",
    "CompositionRemoveTrack",
    "CompositionScaleTimeRange",
    "CompositionSet",
    "CompositionSetSegments",
    "CompositionSetTrack",
    "EngineCalls",
    "EngineHostTime",
    "ExportSessionCalls",
    "ImageGeneratorCalls",
    "LibraryCalls",
    "OutputCalls",
    "PlayerCalls",
    "PlayerItemCalls",
    "PlayerItemState",
    "PlayerItemStep",
    "PlayerLooperCalls",
    "PlayerLooperState",
    "PlayerState",
    "SampleCursorCalls",
    "SampleCursorSamples",
    "SampleCursorStepByTime",
    "TrackCalls",
    "VideoOutputCalls",
    "VideoOutputHasNewPixelBuffer",
]


class EngineHostTime(NamedTuple):
    """The result of ``host_time`` of the engine."""

    #: The time.
    host_time: MediaTime
    #: The clock.
    clock: Any


class EngineCalls(Caller):
    """The calls of the engine."""

    def _written_input(self, given: WriterInput) -> Any:
        raise NotImplementedError

    async def discover(self) -> dict[str, Any]:
        """Describes every method, as an OpenRPC document."""
        return await self._request("rpc.discover")

    async def capabilities(self) -> protocol.EngineCapabilitiesResult:
        """Lists the containers, codecs, formats and presets that this build supports."""
        return await self._request("engine/capabilities")

    async def stats(self) -> protocol.EngineStatsResult:
        """Counts the objects that the server holds and the work that it has done, for tests,
        dashboards and finding leaks.
        """
        return await self._request("engine/stats")

    async def host_time(self) -> EngineHostTime:
        """Returns the time of the host clock, to which the times of players on the clocks ``host``
        and ``audio`` refer.

        It is the system's monotonic clock (``CLOCK_MONOTONIC``), in nanoseconds.
        """
        result = await self._request("engine/hostTime")
        return EngineHostTime(
            MediaTime.of(result["hostTime"]),
            result["clock"],
        )

    async def set_log_level(self, level: protocol.LogLevel) -> None:
        """Turns on ``engine/log`` notifications from a level upwards; ``off`` turns them off.

        None are sent before this request. Messages also go to stderr, regardless of this level.

        - ``level``: The least important level to be sent.
        """
        await self._request("engine/setLogLevel", given(level=level))

    async def handles(self) -> list[protocol.HandleInfo]:
        """Lists every open handle of this connection, oldest first.

        Returns: One entry for each open handle.
        """
        result = await self._request("handle/list")
        return result["handles"]

    async def validate_video_composition(
        self,
        video_composition: protocol.VideoCompositionInput,
        *,
        asset: AsyncAsset | Asset | None = None,
        time_range: TimeRangeLike | None = None,
    ) -> protocol.VideoCompositionValidateResult:
        """Returns all problems of a video composition: those for which ``composition/set`` and
        other requests refuse it, and with an asset also the ranges up to the end of its video
        that no instruction covers.

        - ``video_composition``: The video composition.
        - ``asset``: The asset that it is for; left out, tracks and the end aren't checked.
        - ``time_range``: The range whose instructions are checked: those that overlap it. Left out:
          all of them.
        """
        return await self._request(
            "videoComposition/validate",
            given(
                videoComposition=video_composition,
                asset=None if asset is None else asset.handle,
                timeRange=time_range_to_wire(time_range),
            ),
        )

    async def layer_ramp(
        self,
        layer_instruction: protocol.VideoCompositionLayerInstructionInput,
        kind: protocol.LayerRampKind,
        time: TimeLike,
    ) -> protocol.LayerRamp | None:
        """Returns the ramp of a layer's value that a time is in, else the first one that starts
        after it.

        Values that are set at a time are no ramps. A ramp's end isn't in it.

        - ``layer_instruction``: The layer.
        - ``kind``: The value to which the ramp belongs.
        - ``time``: The time.

        Returns: The ramp; absent after the last one.
        """
        result = await self._request(
            "videoComposition/ramp",
            given(
                layerInstruction=layer_instruction,
                kind=kind,
                time=MediaTime.of(time).to_wire(),
            ),
        )
        return result.get("ramp")

    async def volume_ramp(
        self,
        audio_mix: protocol.AudioMixInput,
        track: TrackLike,
        time: TimeLike,
    ) -> protocol.NumberRamp | None:
        """Returns the ramp of a track's volume that contains a time, else the first one that starts
        after it.

        Values that are set at a time are no ramps. A ramp doesn't contain its end.

        - ``audio_mix``: The mix.
        - ``track``: The track; 0 stands for the mix of all of them.
        - ``time``: The time.

        Returns: The ramp; absent after the last one, and for a track without any.
        """
        result = await self._request(
            "audioMix/volumeRamp",
            given(
                audioMix=audio_mix,
                trackID=track_number(track),
                time=MediaTime.of(time).to_wire(),
            ),
        )
        return result.get("ramp")

    async def presets(self) -> list[str]:
        """Lists all presets of this build except ``Passthrough``, which every asset supports.

        Returns: The names of the presets.
        """
        result = await self._request("exportSession/presets")
        return result["presets"]

    async def can_add_input(self, output_file_type: str, input: WriterInput) -> list[str]:
        """Returns the obstacles to an input in files of a type; nothing where it can be.

        - ``output_file_type``: The type of the file, a short name or a uniform type.
        - ``input``: The input.

        Returns: All reasons against it, each as a sentence.
        """
        result = await self._request(
            "assetWriter/canAdd",
            given(
                outputFileType=output_file_type,
                input=self._written_input(input),
            ),
        )
        return result["reasons"]

    async def authorization_status(
        self,
        media_type: protocol.CaptureMediaType,
    ) -> protocol.AuthorizationStatus:
        """Returns the authorization to use a kind of devices.

        The server gets it when it is started, by ``--allow-capture``.

        - ``media_type``: The media of the devices: cameras, microphones and the audio that sinks
          play, or screens.

        Returns: The status.
        """
        result = await self._request("capture/authorizationStatus", given(mediaType=media_type))
        return result["status"]

    async def devices(
        self,
        media_type: protocol.CaptureMediaType | None = None,
        *,
        direction: protocol.DeviceDirection | None = None,
    ) -> protocol.CaptureDevicesResult:
        """Lists the devices of this machine.

        An output is the destination of a player's audio: its ``uniqueID`` is the player's
        ``audioDevice``. If a kind of devices can't be listed, ``unavailable`` has the reason; that
        isn't an error.

        - ``media_type``: The media of the devices; any when absent.
        - ``direction``: The direction of the media. Default: ``"input"``.
        """
        return await self._request(
            "capture/devices", given(mediaType=media_type, direction=direction)
        )

    async def observe_devices(self, is_observing: bool) -> None:
        """Starts or stops reports of devices that appear, disappear or change, as
        ``capture/didChangeDevices``.

        All changes after the answer are reported; for a copy of the list, observe first, then list.
        It concerns the devices that ``capture/devices`` lists as inputs: synthetic ones, and those
        for which there is a permission. If the process of devices dies, the next one continues,
        without the changes in between.

        - ``is_observing``: False to stop them.
        """
        await self._request("capture/observeDevices", given(isObserving=is_observing))


class BlockingEngineCalls:
    """The calls of the engine, which wait for their answers."""

    discover = blocking(EngineCalls.discover)
    capabilities = blocking(EngineCalls.capabilities)
    stats = blocking(EngineCalls.stats)
    host_time = blocking(EngineCalls.host_time)
    set_log_level = blocking(EngineCalls.set_log_level)
    handles = blocking(EngineCalls.handles)
    validate_video_composition = blocking(EngineCalls.validate_video_composition)
    layer_ramp = blocking(EngineCalls.layer_ramp)
    volume_ramp = blocking(EngineCalls.volume_ramp)
    presets = blocking(EngineCalls.presets)
    can_add_input = blocking(EngineCalls.can_add_input)
    authorization_status = blocking(EngineCalls.authorization_status)
    devices = blocking(EngineCalls.devices)
    observe_devices = blocking(EngineCalls.observe_devices)


class AssetCalls(Remote):
    """The calls of an asset."""

    async def cancel_loading(self) -> None:
        """Cancels the loading of all keys of an asset and of its tracks.

        Keys that were loading become ``cancelled``; loaded keys stay loaded. Every operation that
        waited for them ends with its terminal notification.
        """
        await self._request("asset/cancelLoading", given(asset=self.handle))

    async def find_unused_track_id(self) -> int:
        """Returns a track number that no track of an asset has.

        Returns: A free track number: the highest one plus 1 where that is possible.
        """
        result = await self._request("asset/findUnusedTrackID", given(asset=self.handle))
        return int(result["trackID"])

    async def load_metadata(
        self,
        track: TrackLike | None = None,
        *,
        format: str | None = None,
        identifier: str | None = None,
        key: str | None = None,
        key_space: str | None = None,
        common_key: str | None = None,
        preferred_languages: Iterable[str] | None = None,
        for_sharing: bool | None = None,
        delivery: DeliveryLike | None = None,
    ) -> list[MetadataItem]:
        """Lists metadata of an asset or of one of its tracks, with the bytes of its data.

        Each filter narrows the list; it keeps the file's order, except with
        ``preferred_languages``.

        - ``track``: The track; absent for the asset's own metadata.
        - ``format``: Only items of this format, one of ``availableMetadataFormats``.
        - ``identifier``: Only items with this identifier, for example ``itsk/©nam``.
        - ``key``: Only items with this key.
        - ``key_space``: Only items of this key space.
        - ``common_key``: Only items with this common key, for example ``artwork``.
        - ``preferred_languages``: Only items in one of these languages (BCP 47), the most preferred
          first.
        - ``for_sharing``: True to leave out items that reveal the place of recording, or the people
          who made, bought or filmed the asset. Default: ``False``.
        - ``delivery``: The delivery of the bytes of data; with files, ``%d`` counts the items with
          data. Default: ``"inline"``.

        Returns: The items; empty when nothing matches.
        """
        result = await self._request(
            "asset/metadata",
            given(
                asset=self.handle,
                trackID=track_number(track),
                format=format,
                identifier=identifier,
                key=key,
                keySpace=key_space,
                commonKey=common_key,
                preferredLanguages=listed(preferred_languages),
                forSharing=for_sharing,
                delivery=delivery_to_wire(delivery),
            ),
        )
        return [MetadataItem(each, self) for each in result["metadata"]]

    async def media_selection_group(
        self,
        media_characteristic: protocol.MediaCharacteristic,
        *,
        playable: bool | None = None,
        with_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        without_media_characteristics: Iterable[protocol.MediaCharacteristic] | None = None,
        preferred_languages: Iterable[str] | None = None,
    ) -> MediaSelectionGroup | None:
        """Returns the options of a characteristic.

        The options of a movie are the tracks of one ``alternate_group``; in other containers, all
        tracks of one kind are alternatives, as in players.

        - ``media_characteristic``: The characteristic: ``audible``, ``legible`` or ``visual``.
        - ``playable``: True to return only options that this build can decode. Default: ``False``.
        - ``with_media_characteristics``: Only options with all of these characteristics.
        - ``without_media_characteristics``: Only options with none of these characteristics.
        - ``preferred_languages``: Only options in one of these languages (BCP 47), in the order of
          the languages.

        Returns: The group; absent when the asset has none for the characteristic.
        """
        result = await self._request(
            "asset/mediaSelectionGroup",
            given(
                asset=self.handle,
                mediaCharacteristic=media_characteristic,
                playable=playable,
                withMediaCharacteristics=listed(with_media_characteristics),
                withoutMediaCharacteristics=listed(without_media_characteristics),
                preferredLanguages=listed(preferred_languages),
            ),
        )
        group = result.get("group")
        return None if group is None else MediaSelectionGroup(group)

    async def video_composition(
        self,
        *,
        prototype: protocol.InstructionPrototype | None = None,
    ) -> protocol.VideoComposition:
        """Makes a video composition that shows the video tracks of an asset as they are, the first
        on top.

        A single video track determines the times of composed frames. ``frameDuration`` is that of
        the highest nominal rate, and 1/30 s where none is known. For a composition, the render size
        is its size, into which frames are fitted; for another asset, the size that encloses all of
        its video tracks, turned as they are shown. Between any two times at which tracks begin or
        end to show something there is an instruction with all enabled ones that do; where no track
        is enabled, the first counts. Of an asset without video there is none, and no size either.

        - ``prototype``: The members that all instructions have in common.

        Returns: The video composition.
        """
        result = await self._request(
            "videoComposition/withPropertiesOf", given(asset=self.handle, prototype=prototype)
        )
        return result["videoComposition"]

    async def compatible_presets(self, output_file_type: str | None = None) -> list[str]:
        """Lists the presets that can export an asset, loading it first if necessary.

        ``Passthrough`` is never among them.

        - ``output_file_type``: The required type of the file; any when absent.

        Returns: The names of the presets.
        """
        result = await self._request(
            "exportSession/compatiblePresets",
            given(
                asset=self.handle,
                outputFileType=output_file_type,
            ),
        )
        return result["presets"]

    async def incompatible_presets(self, output_file_type: str | None = None) -> dict[str, str]:
        """Returns why the other presets can't export an asset, by their names.

        - ``output_file_type``: The required type of the file; any when absent.
        """
        result = await self._request(
            "exportSession/compatiblePresets",
            given(
                asset=self.handle,
                outputFileType=output_file_type,
                explain=True,
            ),
        )
        found = result.get("incompatible") or []
        return {each["preset"]: each["reason"] for each in found}

    async def compatible_file_types(self, preset: str) -> list[str]:
        """Lists the types of files that a preset can export an asset to, loading it first if
        necessary.

        - ``preset``: The preset, including ``Passthrough``.

        Returns: The short names of the types.
        """
        result = await self._request(
            "exportSession/compatibleFileTypes", given(asset=self.handle, preset=preset)
        )
        return result["fileTypes"]

    async def incompatible_file_types(self, preset: str) -> dict[str, str]:
        """Returns why a preset can't export an asset to the other types, by their names.

        - ``preset``: The preset, including ``Passthrough``.
        """
        result = await self._request(
            "exportSession/compatibleFileTypes",
            given(
                asset=self.handle,
                preset=preset,
                explain=True,
            ),
        )
        found = result.get("incompatible") or []
        return {each["fileType"]: each["reason"] for each in found}

    def _made_sample_cursor(self, result: protocol.SampleCursorCreateResult) -> AsyncSampleCursor:
        raise NotImplementedError

    async def sample_cursor(
        self,
        track: TrackLike,
        position: TimeLike = "first",
    ) -> AsyncSampleCursor:
        """Makes a cursor at a sample of a track.

        The first cursor of an asset reads the file's index, or scans the file without decoding;
        after that a cursor never waits for the file. A track without samples, for which
        AVFoundation returns nil, is ``invalidSampleCursor``.

        - ``track``: The track.
        - ``position``: The position of the cursor.
        """
        result = await self._request(
            "sampleCursor/create",
            given(
                asset=self.handle,
                trackID=track_number(track),
                position=cursor_position(position),
            ),
        )
        return self._made_sample_cursor(result)

    async def waveform(
        self,
        count: int | None = None,
        track: TrackLike | None = None,
        *,
        audio_mix: Mapping[str, Any] | None = OWN,
        time_range: TimeRangeLike | None = None,
        audio_time_pitch_algorithm: protocol.AudioTimePitchAlgorithm | None = None,
        format: protocol.ImageFormat | None = None,
        width: int | None = None,
        height: int | None = None,
        color: str | None = None,
        background_color: str | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
        path: str | os.PathLike[str] | None = None,
        progress: ProgressLike = None,
    ) -> Waveform:
        """Makes the waveform of an audio track: its extremes and its power in parts of equal
        length.

        Part i of ``count`` has the samples whose time is at least start + i·duration/``count`` and
        less than start + (i+1)·duration/``count``, computed exactly: every sample of the range
        belongs to one part. Ranges without media (a gap, an empty edit, the time after the end) do
        not count, and a part without any media is 0. Where there are more parts than samples, a
        part that lies within one sample has that sample's values: a waveform that is looked at
        closely becomes steps, not spikes. The numbers are for each channel separately, at the
        track's own rate, from one pass of decoding; 1 is full scale. Samples of 8, 16 and 24 bits
        are exact: 16 bits by 32,768. Larger ones are rounded to the nearest 32-bit float. Floating-
        point and lossy audio may exceed 1; a sample that is not a finite number counts as 0.
        ``count`` times the number of channels is at most 800,000, or the waveform fails with
        ``limitExceeded``. With ``format`` the waveform is drawn: the channels one below the other
        in equal lanes, in each column a bar from the smallest to the largest sample, and within it
        the power from -rms to +rms in a stronger shade. A column shows the parts that it covers, at
        least one. The numbers are included only if ``count`` is present too. The image has at most
        16,777,216 pixels, ``jpeg`` 65,500 and ``webp`` 16,383 in width and height; beyond that it
        fails with ``limitExceeded``. Audio that cannot be decoded is skipped, and ``dropped``
        reports it; if nothing can be decoded, the waveform fails with ``undecodableMediaData``, and
        for an encrypted track with ``contentIsProtected``. The work ends with
        ``waveform/didFinish``; a failure is reported there, and is not an error of this request.
        Closing the asset cancels it, as closing the operation does.

        - ``track``: The audio track. When absent, it is the mix of all enabled ones where there is
          an audio mix, else the first of them.
        - ``audio_mix``: The audio mix; ``None`` for the tracks' own volumes. Left out: the asset's
          own mix, which a composition may have.
        - ``time_range``: The range that the parts divide, on the asset's clock: not before zero,
          and not empty. Where the track has no media it is 0. An infinite duration ends with the
          track. When absent, it is the track's range between zero and the asset's end.
        - ``audio_time_pitch_algorithm``: The algorithm for audio that is scaled in time. Default:
          ``"spectral"``.
        - ``count``: The number of parts, from 1 to 100,000; only with ``format`` it may be absent,
          and is ``width`` then.
        - ``format``: The file format in which the waveform is drawn: ``jpeg``, ``png``, ``webp`` or
          ``bmp``. When absent and the delivery is a file, its extension decides, as for
          ``imageGenerator/generateImage``.
        - ``width``: The width of the image in pixels, from 1 to 100,000; only with ``format``.
          ``count`` when absent.
        - ``height``: The height of the image in pixels, from 1 to 16,384; only with ``format``.
          Default: ``128``.
        - ``color``: The colour of the power, as ``#rrggbb`` or ``#rrggbbaa``; the extremes have
          half its opacity. Default: ``"#2f80ed"``.
        - ``background_color``: The colour of the background, as ``#rrggbb`` or ``#rrggbbaa``;
          transparent parts of a ``jpeg`` are white. Default: ``"#00000000"``.
        - ``quality``: The quality of ``jpeg`` and ``webp``, from 0 to 1. Default: ``0.85``.
        - ``delivery``: The destination of the bytes of the image. Default: ``"inline"``.
        - ``path``: The path of a file to be made, with any name.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        """
        params = given(
            asset=self.handle,
            trackID=track_number(track),
            timeRange=time_range_to_wire(time_range),
            audioTimePitchAlgorithm=audio_time_pitch_algorithm,
            count=count,
            format=format,
            width=width,
            height=height,
            color=color,
            backgroundColor=background_color,
            quality=quality,
            delivery=delivery_to_wire(delivery, path),
        ) | unless_own(audioMix=audio_mix)
        end = await done(self, "waveform/generate", params, progress, "waveform")
        return Waveform(end, self)

    async def scene_changes(
        self,
        track: TrackLike | None = None,
        *,
        time_range: TimeRangeLike | None = None,
        sensitivity: float | None = None,
        minimum_duration: TimeLike | None = None,
        progress: ProgressLike = None,
    ) -> SceneChanges:
        """Finds the scene changes of a video track: the frames that the scenes of a film begin
        with.

        All frames of the range are decoded once, in order, and each is compared with the one before
        it, as a small grey image: a scene change is a frame whose difference stands out from those
        of the frames around it, so that motion is none. A flash is none. In a dissolve of up to 2.5
        seconds the frame in its middle is one, and between a fade to one colour and a fade from it
        to another scene the first frame after that colour. The first frame of the range is not a
        scene change. Where the asset has a video composition and ``track`` is absent, the frames
        are the composition's. Frames that cannot be decoded are skipped, and ``dropped`` reports
        them; if nothing can be decoded, the analysis fails with ``undecodableMediaData``, and for
        an encrypted track with ``contentIsProtected``. More than 100,000 scene changes fail with
        ``limitExceeded``. The work ends with ``analysis/didFindSceneChanges``; a failure is
        reported there, and is not an error of this request. Closing the asset cancels it, as
        closing the operation does.

        - ``track``: The video track. When absent, it is the first enabled one.
        - ``time_range``: The range to search, on the asset's clock: not before zero, and not empty.
          An infinite duration ends with the track. When absent, it is the track's range between
          zero and the asset's end.
        - ``sensitivity``: The sensitivity to small changes, from 0, at which only the clearest
          count, to 1. Default: ``0.5``.
        - ``minimum_duration``: The duration of the shortest scene, zero or longer: of changes that
          are closer together, the clearest remains. Default: ``"1/2"``.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        """
        params = given(
            asset=self.handle,
            trackID=track_number(track),
            timeRange=time_range_to_wire(time_range),
            sensitivity=sensitivity,
            minimumDuration=time_to_wire(minimum_duration),
        )
        end = await done(self, "analysis/sceneChanges", params, progress, "scene changes")
        return SceneChanges(end, self)

    async def silences(
        self,
        track: TrackLike | None = None,
        *,
        audio_mix: Mapping[str, Any] | None = OWN,
        time_range: TimeRangeLike | None = None,
        threshold: float | None = None,
        minimum_duration: TimeLike | None = None,
        progress: ProgressLike = None,
    ) -> Silences:
        """Finds the silences of audio: the ranges in which all channels are below a threshold for
        long enough.

        A silence begins with its first sample and ends where the first louder one begins, exactly.
        A sample is silent if its absolute value is less than the threshold; one that is not a
        finite number is silent. Ranges without media (a gap, an empty edit, the time after the end)
        are silence, too, as is audio that cannot be decoded, which ``dropped`` reports. If nothing
        can be decoded, the analysis fails with ``undecodableMediaData``, and for an encrypted track
        with ``contentIsProtected``. More than 100,000 silences fail with ``limitExceeded``. The
        work ends with ``analysis/didFindSilences``; a failure is reported there, and is not an
        error of this request. Closing the asset cancels it, as closing the operation does.

        - ``track``: The audio track. When absent, it is the mix of all enabled ones if there is an
          audio mix, else the first enabled one.
        - ``audio_mix``: The volumes of the tracks; ``None`` for their own volume. Left out: the
          asset's own mix, which a composition may have.
        - ``time_range``: The range to search, on the asset's clock: not before zero, and not empty.
          An infinite duration ends with the track. When absent, it is the track's range between
          zero and the asset's end.
        - ``threshold``: The threshold in decibels below full scale (dBFS), from -200 to 0. Default:
          ``-50``.
        - ``minimum_duration``: The duration of the shortest silence, longer than zero. Default:
          ``"1/2"``.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        """
        params = given(
            asset=self.handle,
            trackID=track_number(track),
            timeRange=time_range_to_wire(time_range),
            threshold=threshold,
            minimumDuration=time_to_wire(minimum_duration),
        ) | unless_own(audioMix=audio_mix)
        end = await done(self, "analysis/silences", params, progress, "silences")
        return Silences(end, self)

    async def loudness(
        self,
        track: TrackLike | None = None,
        *,
        audio_mix: Mapping[str, Any] | None = OWN,
        time_range: TimeRangeLike | None = None,
        progress: ProgressLike = None,
    ) -> Loudness:
        """Measures the loudness of audio by ITU-R BS.1770-4 and EBU R 128.

        The channels are weighted by the positions of their speakers: those at the sides and those
        of a 5.1 layout's surround count 1.5 dB more, the channels of low-frequency effects (LFE)
        don't count, and all others count as they are, as do those of which only the number is
        known, if that number has no usual layout. A mono track is one channel. Ranges without
        media, and audio that cannot be decoded, are silence; ``dropped`` reports the latter. A
        sample that is not a finite number counts as 0. Members are absent where nothing can be
        measured: ``integratedLoudness`` and ``loudnessRange`` if nothing is louder than -70 LUFS,
        or the range is shorter than 0.4 and 3 seconds respectively; peaks if all is digital
        silence. If nothing can be decoded, the analysis fails with ``undecodableMediaData``, and
        for an encrypted track with ``contentIsProtected``. Audio of more than 64 channels fails
        with ``limitExceeded``. The work ends with ``analysis/didMeasureLoudness``; a failure is
        reported there, and is not an error of this request. Closing the asset cancels it, as
        closing the operation does.

        - ``track``: The audio track. When absent, it is the mix of all enabled ones if there is an
          audio mix, else the first enabled one.
        - ``audio_mix``: The volumes of the tracks; ``None`` for their own volume. Left out: the
          asset's own mix, which a composition may have.
        - ``time_range``: The range to measure, on the asset's clock: not before zero, and not
          empty. An infinite duration ends with the track. When absent, it is the track's range
          between zero and the asset's end.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        """
        params = given(
            asset=self.handle,
            trackID=track_number(track),
            timeRange=time_range_to_wire(time_range),
        ) | unless_own(audioMix=audio_mix)
        end = await done(self, "analysis/loudness", params, progress, "loudness")
        return Loudness(end, self)


class BlockingAssetCalls:
    """The calls of an asset, which wait for their answers."""

    cancel_loading = blocking(AssetCalls.cancel_loading)
    find_unused_track_id = blocking(AssetCalls.find_unused_track_id)
    load_metadata = blocking(AssetCalls.load_metadata)
    media_selection_group = blocking(AssetCalls.media_selection_group)
    video_composition = blocking(AssetCalls.video_composition)
    compatible_presets = blocking(AssetCalls.compatible_presets)
    incompatible_presets = blocking(AssetCalls.incompatible_presets)
    compatible_file_types = blocking(AssetCalls.compatible_file_types)
    incompatible_file_types = blocking(AssetCalls.incompatible_file_types)
    sample_cursor: Any = blocking(AssetCalls.sample_cursor)
    waveform = blocking(AssetCalls.waveform)
    scene_changes = blocking(AssetCalls.scene_changes)
    silences = blocking(AssetCalls.silences)
    loudness = blocking(AssetCalls.loudness)


class TrackCalls(Caller):
    """The calls of a track."""

    _asset: Any
    track_id: int

    async def segment(self, track_time: TimeLike) -> TrackSegment | None:
        """Returns the segment of a track that contains a time.

        For a time outside the track it is the closest segment, as in AVFoundation.

        - ``track_time``: A time of the track.

        Returns: The segment; absent when the track has none.
        """
        result = await self._request(
            "track/segment",
            given(
                asset=self._asset.handle,
                trackID=self.track_id,
                trackTime=MediaTime.of(track_time).to_wire(),
            ),
        )
        segment = result.get("segment")
        return None if segment is None else TrackSegment.of(segment)

    async def sample_presentation_time(self, track_time: TimeLike) -> MediaTime:
        """Maps a time of a track to the time of the media that is presented then.

        - ``track_time``: A time of the track.

        Returns: The time on the media's clock; ``"invalid"`` where nothing of the media is
        presented.
        """
        result = await self._request(
            "track/samplePresentationTime",
            given(
                asset=self._asset.handle,
                trackID=self.track_id,
                trackTime=MediaTime.of(track_time).to_wire(),
            ),
        )
        return MediaTime.of(result["time"])

    def _made_associated_tracks(self, result: protocol.TrackAssociatedTracksResult) -> list[AsyncTrack]:
        raise NotImplementedError

    async def associated_tracks(
        self,
        association_type: protocol.TrackAssociationType,
    ) -> list[AsyncTrack]:
        """Lists the tracks that are associated with a track.

        Associations have a direction: a timecode track is found from the track that it times.

        - ``association_type``: The relation of the tracks to it.

        Returns: The tracks; empty when there are none.
        """
        result = await self._request(
            "track/associatedTracks",
            given(
                asset=self._asset.handle,
                trackID=self.track_id,
                associationType=association_type,
            ),
        )
        return self._made_associated_tracks(result)


class BlockingTrackCalls:
    """The calls of a track, which wait for their answers."""

    segment = blocking(TrackCalls.segment)
    sample_presentation_time = blocking(TrackCalls.sample_presentation_time)
    associated_tracks: Any = blocking(TrackCalls.associated_tracks)


class CompositionSet(NamedTuple):
    """The result of ``set`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionAddTrack(NamedTuple):
    """The result of ``add_track`` of a composition."""

    #: Its number.
    track_id: int
    #: The end of the last of the tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionRemoveTrack(NamedTuple):
    """The result of ``remove_track`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionSetTrack(NamedTuple):
    """The result of ``set_track`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionInsertTimeRange(NamedTuple):
    """The result of ``insert_time_range`` of a composition."""

    #: The range that it covers in the composition.
    time_range: TimeRange
    #: The tracks that show it, in the order of the asset's tracks.
    track_ids: list[int]
    #: The end of the last of the tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionInsertTimeRanges(NamedTuple):
    """The result of ``insert_time_ranges`` of a composition."""

    #: The range that it covers in the composition.
    time_range: TimeRange
    #: The tracks that show it, in the order of the asset's tracks.
    track_ids: list[int]
    #: The end of the last of the tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionInsertEmptyTimeRange(NamedTuple):
    """The result of ``insert_empty_time_range`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionRemoveTimeRange(NamedTuple):
    """The result of ``remove_time_range`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionScaleTimeRange(NamedTuple):
    """The result of ``scale_time_range`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionSetSegments(NamedTuple):
    """The result of ``set_segments`` of a composition."""

    #: The end of the last of its tracks.
    duration: MediaTime
    #: The number of edits that have been made.
    revision: int


class CompositionCalls(Remote):
    """The calls of a composition."""

    def _written_natural_size(self, given: tuple[float, float] | protocol.CanvasSize) -> Any:
        raise NotImplementedError

    def _written_items(self, given: ItemLike) -> Any:
        raise NotImplementedError

    def _written_segments(self, given: CompositionSegment[Any]) -> Any:
        raise NotImplementedError

    async def open_timeline_io(
        self,
        *,
        relative_to: str | None = None,
    ) -> protocol.CompositionOpenTimelineIOResult:
        """Returns a composition as a document of OpenTimelineIO, for other programs.

        Segments become clips and gaps, in whole frames or samples of a rate for each track. The
        timeline itself is in the document's ``metadata.reelwire``, and as long as the tracks aren't
        changed, ``composition/import`` makes the same composition of it. The parts that other
        programs don't see are listed.

        - ``relative_to``: A folder, as an absolute path; URLs of files in it are written relative
          to it. Left out: none; all URLs are absolute.
        """
        return await self._request(
            "composition/openTimelineIO", given(composition=self.handle, relativeTo=relative_to)
        )

    def _made_copy(self, result: protocol.CompositionCreateResult) -> AsyncComposition:
        raise NotImplementedError

    async def copy(self) -> AsyncComposition:
        """Creates a composition with the same tracks, which is edited independently."""
        result = await self._request("composition/copy", given(composition=self.handle))
        return self._made_copy(result)

    async def timeline(self) -> protocol.CompositionTimeline:
        """Returns a complete description of a composition, as a document: its canonical form, so
        that equal compositions have the same bytes.

        ``composition/create`` makes the same composition of it. A source that is a file has its
        path in ``url``; one whose bytes the client supplies has the handle of its ``asset``.

        Returns: The timeline.
        """
        result = await self._request("composition/timeline", given(composition=self.handle))
        return result["timeline"]

    async def timeline_losses(self) -> list[protocol.ConversionLoss]:
        """Returns the parts of a composition that its timeline can't state, each with its reason.

        Returns: The parts of the composition that the timeline can't state: options with which
        assets were opened, properties of files of subtitles in inner compositions, settings of
        inner compositions, and the bytes of assets that are closed.
        """
        result = await self._request("composition/timeline", given(composition=self.handle))
        return result["losses"]

    async def set(
        self,
        natural_size: tuple[float, float] | protocol.CanvasSize | None = None,
        *,
        audio_mix: Mapping[str, Any] | None = OWN,
        video_composition: Mapping[str, Any] | None = OWN,
        subtitle_tracks: Iterable[protocol.SubtitleFile] | None = None,
    ) -> CompositionSet:
        """Sets properties of a composition as a whole; those that are left out stay as they are.

        All problems of them are in the error's ``errors``, and then none is set. Edits of tracks
        change no times in a mix or a video composition; the removal of a track also removes its
        settings from them.

        - ``natural_size``: The size in which frames are shown, from 1 × 1 to 16384 × 16384;
          ``"source"`` for that of the first frame as it is shown.
        - ``audio_mix``: The volumes of its tracks in a mix, unless the mix states others; ``None``
          for no mix.
        - ``video_composition``: The video composition of its tracks, unless another one is stated;
          ``None`` for none.
        - ``subtitle_tracks``: Files of subtitles that become tracks in exports, unless an export
          states others; at times of the composition. Edits don't move them.
        """
        result = await self._request(
            "composition/set",
            given(
                composition=self.handle,
                naturalSize=None if natural_size is None else self._written_natural_size(natural_size),
                subtitleTracks=listed(subtitle_tracks),
            ) | unless_own(audioMix=audio_mix, videoComposition=video_composition),
        )
        return CompositionSet(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def add_track(
        self,
        media_type: protocol.MediaType,
        *,
        preferred_track_id: int | None = None,
    ) -> CompositionAddTrack:
        """Adds a track without media.

        - ``media_type``: The kind of its media.
        - ``preferred_track_id``: The number of the new track, if no track has or had it; else the
          track gets another one.
        """
        result = await self._request(
            "composition/addTrack",
            given(
                composition=self.handle,
                mediaType=media_type,
                preferredTrackID=preferred_track_id,
            ),
        )
        return CompositionAddTrack(
            int(result["trackID"]),
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def remove_track(self, track: TrackLike) -> CompositionRemoveTrack:
        """Removes a track.

        - ``track``: The track.
        """
        result = await self._request(
            "composition/removeTrack", given(composition=self.handle, trackID=track_number(track))
        )
        return CompositionRemoveTrack(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def set_track(
        self,
        track: TrackLike,
        *,
        is_enabled: bool | None = None,
        natural_time_scale: int | None = None,
        language_code: str | None = None,
        extended_language_tag: str | None = None,
        preferred_transform: protocol.Transform | None = None,
        preferred_volume: float | None = None,
    ) -> CompositionSetTrack:
        """Sets properties of a track; those that are left out stay as they are.

        A track inherits none of these from its sources.

        - ``track``: The track.
        - ``is_enabled``: True if it is presented; a new track is.
        - ``natural_time_scale``: The ticks per second of its times; 0 for that of its first
          segment, or 600.
        - ``language_code``: The language by ISO 639-2/T; empty for that of the track's first part,
          ``und`` for none.
        - ``extended_language_tag``: The language by BCP 47; empty for that of the track's first
          part.
        - ``preferred_transform``: The transform of its frames, in addition to those that their
          sources state, which are already applied.
        - ``preferred_volume``: The volume to play it at, 1 for full volume.
        """
        result = await self._request(
            "composition/setTrack",
            given(
                composition=self.handle,
                trackID=track_number(track),
                isEnabled=is_enabled,
                naturalTimeScale=natural_time_scale,
                languageCode=language_code,
                extendedLanguageTag=extended_language_tag,
                preferredTransform=preferred_transform,
                preferredVolume=preferred_volume,
            ),
        )
        return CompositionSetTrack(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def compatible_track(self, asset: AsyncAsset | Asset, asset_track_id: int) -> int | None:
        """Finds a track that can show parts of an asset's track: one of the same kind.

        - ``asset``: An asset.
        - ``asset_track_id``: A track of the asset.

        Returns: Its number; absent when there is none.
        """
        result = await self._request(
            "composition/compatibleTrack",
            given(
                composition=self.handle,
                asset=asset.handle,
                assetTrackID=asset_track_id,
            ),
        )
        track_id = result.get("trackID")
        return None if track_id is None else int(track_id)

    async def insert_time_range(
        self,
        asset: AsyncAsset | Asset,
        *,
        time_range: TimeRangeLike | None = None,
        at: TimeLike | None = None,
        track: TrackLike | None = None,
        asset_track_id: int | None = None,
        tracks: protocol.TrackSelection | None = None,
        clamp: bool | None = None,
        playback: protocol.SegmentPlayback | None = None,
        speed_ramp: Iterable[protocol.SpeedPointInput] | None = None,
    ) -> CompositionInsertTimeRange:
        """Inserts a range of an asset.

        Without ``track`` it is a range of all its video, audio and text: each of its tracks goes
        into a track of its kind, which is added if there is none; a track that has less than the
        range is filled with an empty segment, so that the next insertion begins at the same time in
        all of them. A range that the asset itself states, such as its ``duration``, can always be
        inserted, also if its tracks end before it. Media that is shown from ``at`` on is moved
        after it, in all tracks. With ``track`` it is a range of one track, and other tracks stay as
        they are. If ``at`` is after the end of a track, the time between becomes an empty segment.

        - ``asset``: The asset: a file's, or another composition, which is inserted as it is now.
        - ``time_range``: The range of the asset; with the duration ``"+infinity"`` up to its end.
          Of a single image it may have any duration. Left out, it is all of the asset.
        - ``at``: The time at which to insert it; left out, the end of the track or of the
          composition.
        - ``track``: The track to insert it in.
        - ``asset_track_id``: The asset's track to insert, with ``track``; left out, the first one
          of the kind.
        - ``tracks``: The asset's tracks to insert, without ``track``; left out, all.
        - ``clamp``: True to cut a range that extends beyond the asset to the part that exists.
          Default: ``False``.
        - ``playback``: The playback of the range: in reverse, its video and audio; for a freeze its
          video, with the frame that is shown at the start of the range for the range's duration.
          Default: ``"forward"``.
        - ``speed_ramp``: A speed that changes, of its video and audio: the points of its course, 1
          to 1,000, in ascending order, at times of the asset within the range, and with speeds
          above 0. The duration follows from it. Left out: the natural speed.
        """
        result = await self._request(
            "composition/insertTimeRange",
            given(
                composition=self.handle,
                asset=asset.handle,
                timeRange=time_range_to_wire(time_range),
                at=time_to_wire(at),
                trackID=track_number(track),
                assetTrackID=asset_track_id,
                tracks=tracks,
                clamp=clamp,
                playback=playback,
                speedRamp=listed(speed_ramp),
            ),
        )
        return CompositionInsertTimeRange(
            TimeRange.of(result["timeRange"]),
            [int(each) for each in result["trackIDs"]],
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def insert_time_ranges(
        self,
        track: TrackLike,
        items: Iterable[ItemLike],
        *,
        at: TimeLike | None = None,
        clamp: bool | None = None,
    ) -> CompositionInsertTimeRanges:
        """Inserts ranges of tracks one after the other in a track; all of them, or none.

        All problems of them are in the error's ``errors``.

        - ``track``: The track to insert them in.
        - ``items``: The ranges, in order.
        - ``at``: The time at which to insert them; left out, the end of the track.
        - ``clamp``: True to cut ranges that extend beyond their track to the part that exists.
          Default: ``False``.
        """
        result = await self._request(
            "composition/insertTimeRanges",
            given(
                composition=self.handle,
                trackID=track_number(track),
                items=[self._written_items(each) for each in items],
                at=time_to_wire(at),
                clamp=clamp,
            ),
        )
        return CompositionInsertTimeRanges(
            TimeRange.of(result["timeRange"]),
            [int(each) for each in result["trackIDs"]],
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def insert_empty_time_range(
        self,
        time_range: TimeRangeLike,
        *,
        track: TrackLike | None = None,
    ) -> CompositionInsertEmptyTimeRange:
        """Inserts a range that shows nothing; media that was shown from its start on is shown after
        it.

        At the end or after it, where only media can be added, the error is ``operationNotAllowed``.

        - ``time_range``: The range.
        - ``track``: The track; left out, all tracks.
        """
        result = await self._request(
            "composition/insertEmptyTimeRange",
            given(
                composition=self.handle,
                timeRange=TimeRange.of(time_range).to_wire(),
                trackID=track_number(track),
            ),
        )
        return CompositionInsertEmptyTimeRange(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def remove_time_range(
        self,
        time_range: TimeRangeLike,
        *,
        track: TrackLike | None = None,
    ) -> CompositionRemoveTimeRange:
        """Removes a range; later media follows at once.

        Tracks stay, even empty ones.

        - ``time_range``: The range.
        - ``track``: The track; left out, all tracks.
        """
        result = await self._request(
            "composition/removeTimeRange",
            given(
                composition=self.handle,
                timeRange=TimeRange.of(time_range).to_wire(),
                trackID=track_number(track),
            ),
        )
        return CompositionRemoveTimeRange(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def scale_time_range(
        self,
        time_range: TimeRangeLike,
        to_duration: TimeLike,
        *,
        track: TrackLike | None = None,
    ) -> CompositionScaleTimeRange:
        """Shows a range faster or slower, so that it has the stated duration; later media follows
        it.

        - ``time_range``: The range.
        - ``to_duration``: The new duration of the range, above zero.
        - ``track``: The track; left out, all tracks.
        """
        result = await self._request(
            "composition/scaleTimeRange",
            given(
                composition=self.handle,
                timeRange=TimeRange.of(time_range).to_wire(),
                toDuration=MediaTime.of(to_duration).to_wire(),
                trackID=track_number(track),
            ),
        )
        return CompositionScaleTimeRange(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    def _made_segments(self, result: protocol.CompositionSegmentsResult) -> list[CompositionSegment[AsyncAsset]]:
        raise NotImplementedError

    async def segments(self, track: TrackLike) -> list[CompositionSegment[AsyncAsset]]:
        """Returns the segments of a track, in order.

        - ``track``: The track.

        Returns: The segments, one after the other from zero on.
        """
        result = await self._request(
            "composition/segments", given(composition=self.handle, trackID=track_number(track))
        )
        return self._made_segments(result)

    async def set_segments(
        self,
        track: TrackLike,
        segments: Iterable[CompositionSegment[Any]],
    ) -> CompositionSetSegments:
        """Replaces all segments of a track.

        All problems of them are in the error's ``errors``.

        - ``track``: The track.
        - ``segments``: The segments, from zero on without gaps between them.
        """
        result = await self._request(
            "composition/setSegments",
            given(
                composition=self.handle,
                trackID=track_number(track),
                segments=[self._written_segments(each) for each in segments],
            ),
        )
        return CompositionSetSegments(
            MediaTime.of(result["duration"]),
            int(result["revision"]),
        )

    async def validate_segments(
        self,
        track: TrackLike,
        segments: Iterable[CompositionSegment[Any]],
    ) -> list[protocol.ParamsProblem]:
        """Returns the problems of segments for a track, without changing it.

        - ``track``: The track.
        - ``segments``: The segments.

        Returns: All problems.
        """
        result = await self._request(
            "composition/validateSegments",
            given(
                composition=self.handle,
                trackID=track_number(track),
                segments=[self._written_segments(each) for each in segments],
            ),
        )
        return result["problems"]


class BlockingCompositionCalls:
    """The calls of a composition, which wait for their answers."""

    open_timeline_io = blocking(CompositionCalls.open_timeline_io)
    copy: Any = blocking(CompositionCalls.copy)
    timeline = blocking(CompositionCalls.timeline)
    timeline_losses = blocking(CompositionCalls.timeline_losses)
    set = blocking(CompositionCalls.set)
    add_track = blocking(CompositionCalls.add_track)
    remove_track = blocking(CompositionCalls.remove_track)
    set_track = blocking(CompositionCalls.set_track)
    compatible_track = blocking(CompositionCalls.compatible_track)
    insert_time_range = blocking(CompositionCalls.insert_time_range)
    insert_time_ranges = blocking(CompositionCalls.insert_time_ranges)
    insert_empty_time_range = blocking(CompositionCalls.insert_empty_time_range)
    remove_time_range = blocking(CompositionCalls.remove_time_range)
    scale_time_range = blocking(CompositionCalls.scale_time_range)
    segments: Any = blocking(CompositionCalls.segments)
    set_segments = blocking(CompositionCalls.set_segments)
    validate_segments = blocking(CompositionCalls.validate_segments)


class ImageGeneratorCalls(Remote):
    """The calls of an image generator."""

    def _made_image(self, result: protocol.ImageGeneratorGenerateImageResult) -> Image:
        raise NotImplementedError

    async def image(
        self,
        time: TimeLike | None = None,
        *,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> Image:
        """Makes the image of one time, or of the first frame.

        With a delivery to a file, its name must not contradict ``format``: the extension of another
        image format, or of any image format for raw pixels, is refused before any work is done.

        - ``time``: The time, in the asset's time; the track's first frame when absent. The first
          frame is not always presented at 0, and with zero tolerance there is no image before it.
          Without a time the result is exactly the first frame, regardless of its time and the
          tolerances.
        - ``format``: The format of the image; when absent, the extension of a file decides, else it
          is ``jpeg``. The extensions are ``jpg``, ``jpeg``, ``png``, ``webp`` and ``bmp``, in upper
          or lower case. Without ``format`` any other extension is refused; without an extension the
          format is ``jpeg``.
        - ``quality``: The quality of ``jpeg`` and ``webp``, from 0 to 1. Default: ``0.85``.
        - ``delivery``: The destination of the bytes. Default: ``"inline"``.
        - ``path``: The path of a file to be made, with any name.
        """
        result = await self._request(
            "imageGenerator/generateImage",
            given(
                imageGenerator=self.handle,
                time=time_to_wire(time),
                format=format,
                quality=quality,
                delivery=delivery_to_wire(delivery, path),
            ),
        )
        return self._made_image(result)

    async def contact_sheet(
        self,
        columns: int | None = None,
        rows: int | None = None,
        *,
        count: int | None = None,
        times: Iterable[TimeLike] | None = None,
        time_range: TimeRangeLike | None = None,
        tile_width: int | None = None,
        spacing: int | None = None,
        shows_times: bool | None = None,
        format: protocol.ImageFormat | None = None,
        quality: float | None = None,
        delivery: DeliveryLike | None = None,
        image_name: str | None = None,
        path: str | os.PathLike[str] | None = None,
        progress: ProgressLike = None,
    ) -> ContactSheet:
        """Makes a contact sheet: one image of many frames of a video, with a WebVTT map for
        players.

        Choose the tiles in one of three ways: ``columns`` and ``rows``, which fills all cells;
        ``count``; or ``times``. With ``count`` and ``times``, ``columns`` and ``rows`` set the
        shape, which must be large enough; one of them suffices, and without them the sheet has
        equal numbers of columns and rows, or one row less. Unused cells stay black. A sheet has at
        most 10,000 cells. Without ``times`` the range is divided into parts of equal length, and
        each tile shows the generator's image for the middle of its part; with ``times`` each tile
        represents the range from its time to the next one's. The generator's tolerances apply: with
        0 the exact frame. By default it is the nearest sync sample, which is fast: without
        ``times`` one in the tile's own part, or the exact frame where there is none; with ``times``
        it may be outside the tile's part. All tiles have the size of the first frame: by the
        generator's rules for aperture, rotation and maximum size, at most ``tile_width`` wide,
        never enlarged, rounded down to even numbers. A frame of another shape is scaled down and
        centred in its tile. A tile without a frame is black and has an ``error``; the sheet fails
        only if every tile does, with the first one's error. A sheet of more than 67,108,864 pixels,
        or larger than its format allows (``jpeg`` 65,500 pixels in width and height, ``webp``
        16,383), fails with ``limitExceeded``. The map has a cue for each tile, including black
        ones, with the sheet and the tile's rectangle in it: ``sheet.jpg#xywh=160,0,160,90``.
        Without ``times`` the cues cover the range without a gap. With a delivery to a file, the map
        is written next to the sheet, under the same name with the extension ``vtt``. Neither file
        replaces an existing one, and a failure leaves neither. The sheet does not wait for the
        generator's other requests. ``imageGenerator/cancelAll`` and closing the generator cancel
        it. The work ends with ``imageGenerator/didFinishContactSheet``; a failure is reported
        there, and is not an error of this request.

        - ``columns``: The number of tiles in a row.
        - ``rows``: The number of rows.
        - ``count``: The number of tiles.
        - ``times``: The times of the tiles in the asset's time, each after the one before it.
        - ``time_range``: The range of the sheet, limited to that of the video track; the whole
          track when absent.
        - ``tile_width``: The maximum width of a tile, in pixels, from 2 to 8192. Default: ``160``.
        - ``spacing``: The distance between neighbouring tiles in pixels, from 0 to 1024; it is
          black. Default: ``0``.
        - ``shows_times``: True if each tile shows the presentation time of its frame in its lower
          left corner: minutes, seconds and thousandths, white on black, with hours from one hour
          on. The times are rounded to the nearest millisecond; ``tiles`` has the exact ones. A tile
          that is too narrow for its time has none. Default: ``False``.
        - ``format``: The format of the sheet, any but ``yuv420p`` and ``yuv420p10le``. When absent,
          the extension of a file decides, else it is ``jpeg``, as for
          ``imageGenerator/generateImage``.
        - ``quality``: The quality of ``jpeg`` and ``webp``, from 0 to 1. Default: ``0.85``.
        - ``delivery``: The destination of the bytes of the sheet. Default: ``"inline"``.
        - ``image_name``: The URL of the sheet in the map, absolute or relative to the map's; it has
          no fragment. When absent it is the name of the file, percent-encoded, or ``sheet`` with
          the format's extension.
        - ``path``: The path of a file to be made, with any name.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        """
        params = given(
            imageGenerator=self.handle,
            columns=columns,
            rows=rows,
            count=count,
            times=None if times is None else [MediaTime.of(each).to_wire() for each in times],
            timeRange=time_range_to_wire(time_range),
            tileWidth=tile_width,
            spacing=spacing,
            showsTimes=shows_times,
            format=format,
            quality=quality,
            delivery=delivery_to_wire(delivery, path),
            imageName=image_name,
        )
        end = await done(self, "imageGenerator/contactSheet", params, progress, "contact sheet")
        return ContactSheet(end, self)

    async def cancel_all(self) -> None:
        """Cancels all outstanding requests of a generator.

        Each time without an image ends as ``cancelled``; the generator can be used again.
        """
        await self._request("imageGenerator/cancelAll", given(imageGenerator=self.handle))


class BlockingImageGeneratorCalls:
    """The calls of an image generator, which wait for their answers."""

    image: Any = blocking(ImageGeneratorCalls.image)
    contact_sheet = blocking(ImageGeneratorCalls.contact_sheet)
    cancel_all = blocking(ImageGeneratorCalls.cancel_all)


class ExportSessionCalls(Exporter):
    """The calls of an export session."""

    async def preflight(self) -> ExportPreflight:
        """Returns the effects of an export, without performing it.

        It fails for the reasons for which the export would fail at its start, except for an
        existing file at the output path.
        """
        result = await self._request("exportSession/preflight", given(exportSession=self.handle))
        return ExportPreflight(result)

    async def estimate(self) -> ExportEstimate:
        """Estimates the duration and the size of the file.

        The size of copies and of constant bit rates is accurate to a few bytes; video of constant
        quality may become half or twice as large.
        """
        result = await self._request("exportSession/estimate", given(exportSession=self.handle))
        return ExportEstimate(result)

    async def plan(
        self,
        *,
        part_count: int | None = None,
        minimum_part_duration: TimeLike | None = None,
        thread_count: int | None = None,
    ) -> protocol.ExportPartPlan:
        """Divides an export into parts that are made one by one, in any process and on any machine,
        and joined.

        Video is cut at sync samples of the source, into parts with about equal numbers of frames;
        audio is one part. Nothing is written.

        - ``part_count``: The number of parts of video, at most 1000; there are fewer if the source
          has too few sync samples for them. When absent, the number that ``minimum_part_duration``
          allows.
        - ``minimum_part_duration``: The minimum duration of a part of video. When absent, 30
          seconds; with ``part_count``, any duration.
        - ``thread_count``: The number of threads of each encoder, at most 16: the bytes of some
          depend on it. When absent, one and a half times the number of this machine's cores. HEVC
          encodes one frame at a time in any case, with a thread for each row of it.

        Returns: The plan, for ``exportSession/exportPart`` and ``exportSession/join``.
        """
        result = await self._request(
            "exportSession/plan",
            given(
                exportSession=self.handle,
                partCount=part_count,
                minimumPartDuration=time_to_wire(minimum_part_duration),
                threadCount=thread_count,
            ),
        )
        return result["plan"]

    async def export_part(
        self,
        plan: protocol.ExportPartPlan,
        part: int,
        output: str | os.PathLike[str],
        *,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
    ) -> ExportResult:
        """Makes a part as a file that only ``exportSession/join`` reads.

        The session may be another one than the session that made the plan, of the same file with
        the same settings. It may make several parts at the same time, and it can still export. The
        bytes of a part depend on the plan alone. The file gets its name when it is complete; an
        existing one is not touched. The work ends with ``exportSession/didFinish``, with
        ``output``, ``fileSize`` and ``timeRange`` of the part; a failure is reported there:
        ``operationNotAllowed`` if the plan is not one of this session's export.

        - ``plan``: The plan, of ``exportSession/plan``.
        - ``part``: The number of the part, from 0 on.
        - ``output``: The file of the part, a path or a ``file:`` URL.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        - ``progress_interval``: The minimum time between two calls, in seconds. Default: 0.1.
        """
        params = given(
            exportSession=self.handle,
            plan=plan,
            part=part,
            outputURL=absolute_path(output, "an output"),
            progressInterval=progress_interval,
        )
        return await self._finished("exportSession/exportPart", params, progress)

    async def join(
        self,
        plan: protocol.ExportPartPlan,
        parts: Iterable[str | os.PathLike[str]],
        *,
        progress: ProgressLike = None,
        progress_interval: float | None = None,
    ) -> ExportResult:
        """Joins parts that have been made: the session's one export, to its ``outputURL``.

        The packets of the parts are copied; everything that isn't encoded (copied tracks,
        subtitles, metadata, chapters) comes from the asset. All parts are compared with the plan,
        and their contents with its hash: a part that is missing, cut short, another one or of
        another plan is named in the error. The work ends with ``exportSession/didFinish``.

        - ``plan``: The plan, of ``exportSession/plan``.
        - ``parts``: The files of all parts, in the order of the plan: paths, or ``file:`` URLs.
        - ``progress``: Is called with the part that is done, from 0 to 1, and an error that it
          raises cancels the work; ``True`` shows it.
        - ``progress_interval``: The minimum time between two calls, in seconds. Default: 0.1.
        """
        params = given(
            exportSession=self.handle,
            plan=plan,
            partURLs=[absolute_path(each, "a part") for each in parts],
            progressInterval=progress_interval,
        )
        return await self._finished("exportSession/join", params, progress)

    async def status(self) -> ExportStatus:
        """Returns the status of an export, without waiting for it."""
        result = await self._request("exportSession/status", given(exportSession=self.handle))
        return ExportStatus(result)

    async def cancel(self) -> None:
        """Cancels an export; one that has ended stays as it is."""
        await self._request("exportSession/cancel", given(exportSession=self.handle))


class BlockingExportSessionCalls:
    """The calls of an export session, which wait for their answers."""

    preflight = blocking(ExportSessionCalls.preflight)
    estimate = blocking(ExportSessionCalls.estimate)
    plan = blocking(ExportSessionCalls.plan)
    export_part = blocking(ExportSessionCalls.export_part)
    join = blocking(ExportSessionCalls.join)
    status = blocking(ExportSessionCalls.status)
    cancel = blocking(ExportSessionCalls.cancel)


class AssetReaderCalls(Remote):
    """The calls of an asset reader."""

    async def status(self) -> tuple[protocol.ReaderStatus, ReelwireError | None]:
        """Returns the status of a reader."""
        result = await self._request("assetReader/status", given(assetReader=self.handle))
        return reader_status(result)


class BlockingAssetReaderCalls:
    """The calls of an asset reader, which wait for their answers."""

    status = blocking(AssetReaderCalls.status)


class OutputCalls(Caller):
    """The calls of an output."""

    @property
    def handle(self) -> str:
        """The object's name on the wire."""
        raise NotImplementedError

    async def mark_configuration_as_final(self) -> None:
        """Declares that an output with ``supportsRandomAccess`` will not be reset again.

        A reader is ``completed`` when all its outputs are final and were read to their end; outputs
        without random access are final from the start.
        """
        await self._request("assetReader/markConfigurationAsFinal", given(output=self.handle))


class BlockingOutputCalls:
    """The calls of an output, which wait for their answers."""

    mark_configuration_as_final = blocking(OutputCalls.mark_configuration_as_final)


class AssetWriterCalls(Remote):
    """The calls of an asset writer."""

    async def end_session(self, source_time: TimeLike) -> None:
        """Ends the session: samples that are presented from that time on aren't shown.

        Samples that were encoded before are cut off: hidden by an edit list if the file has one at
        its end, else left out when the writer is finished, for which the file is copied once more.
        Of packets of audio that can't be cut the last one stays whole. Segments that were delivered
        stay as they are. Optional: ``assetWriter/finish`` ends it with the last sample.

        - ``source_time``: The time on the clock of the samples.
        """
        await self._request(
            "assetWriter/endSession",
            given(
                assetWriter=self.handle,
                sourceTime=MediaTime.of(source_time).to_wire(),
            ),
        )

    def _before_flush_segment(self) -> Awaitable[None]:
        raise NotImplementedError

    async def flush_segment(self) -> None:
        """Ends the segment after the samples that have been appended; only if the segments'
        interval is indefinite.

        The segment is delivered when the next one has begun, and the encoder has returned all of
        it. The next sample has to be a sync sample if samples are stored ones, or the writer fails
        with ``segmentStartedWithNonSyncSample``.
        """
        await self._before_flush_segment()
        await self._request("assetWriter/flushSegment", given(assetWriter=self.handle))

    def _made_status(self, result: protocol.AssetWriterStatusResult) -> WriterState:
        raise NotImplementedError

    async def status(self) -> WriterState:
        """Returns the status of a writer, without waiting for it."""
        result = await self._request("assetWriter/status", given(assetWriter=self.handle))
        return self._made_status(result)


class BlockingAssetWriterCalls:
    """The calls of an asset writer, which wait for their answers."""

    end_session = blocking(AssetWriterCalls.end_session)
    flush_segment = blocking(AssetWriterCalls.flush_segment)
    status: Any = blocking(AssetWriterCalls.status)


class SampleCursorStepByTime(NamedTuple):
    """The result of ``step_by_time`` of a sample cursor."""

    #: The time that it has moved by, on the clock of the order.
    moved: MediaTime
    #: True if the time is before the first sample, or after the end of the last.
    was_pinned: bool


class SampleCursorSamples(NamedTuple):
    """The result of ``read`` of a sample cursor."""

    #: The samples, in their order.
    samples: list[Sample]
    #: True if there are none after these.
    end_of_track: bool


class SampleCursorCalls(Remote):
    """The calls of a sample cursor."""

    async def step(self, count: int = 1, order: protocol.SampleOrder = "decode") -> int:
        """Moves a cursor by a number of samples, not beyond the ends.

        From a sample that is not shown, the first step in presentation order leads to the shown
        sample that is next in time, before it or after it.

        - ``count``: The number of samples; backwards when negative.
        - ``order``: The order.

        Returns: The number of samples that it has moved by, negative when backwards.
        """
        result = await self._request(
            "sampleCursor/step", given(sampleCursor=self.handle, count=count, order=order)
        )
        return int(result["stepped"])

    async def step_by_time(
        self,
        by: TimeLike,
        order: protocol.SampleOrder = "presentation",
    ) -> SampleCursorStepByTime:
        """Moves a cursor by a time, not beyond the ends.

        It moves to the last sample of the order whose time is not after that of the current sample
        plus ``by``; a sample without a decode time counts with its presentation time. Among samples
        of one time it does not move. An infinite time leads to an end.

        - ``by``: The time; backwards when negative.
        - ``order``: The order on whose clock it moves: that of decode times, or of presentation
          times.
        """
        result = await self._request(
            "sampleCursor/stepByTime",
            given(
                sampleCursor=self.handle,
                by=MediaTime.of(by).to_wire(),
                order=order,
            ),
        )
        return SampleCursorStepByTime(
            MediaTime.of(result["moved"]),
            result["wasPinned"],
        )

    async def sample(self) -> Sample:
        """Describes the sample at which a cursor is.

        Returns: The sample.
        """
        result = await self._request("sampleCursor/sample", given(sampleCursor=self.handle))
        return Sample(result["sample"])

    async def read(
        self,
        max_count: int | None = None,
        order: protocol.SampleOrder | None = None,
    ) -> SampleCursorSamples:
        """Lists the current sample and those after it, and moves the cursor past them.

        A loop until ``end_of_track`` lists every sample once: the cursor stays at the last sample,
        and further calls in the same order return none until it has moved. In presentation order,
        samples that are not presented are skipped.

        - ``max_count``: The maximum number of samples to list, 1 to 10,000. Default: ``100``.
        - ``order``: The order. Default: ``"decode"``.
        """
        result = await self._request(
            "sampleCursor/samples", given(sampleCursor=self.handle, maxCount=max_count, order=order)
        )
        return SampleCursorSamples(
            [Sample(each) for each in result["samples"]],
            result["endOfTrack"],
        )

    async def chunk(self) -> Chunk:
        """Describes the samples around a cursor that are adjacent in the file.

        FFmpeg does not report a container's own chunks; several of them can be one here. If
        positions are not known (``storageRange.offset`` is -1), each sample is a chunk of its own.
        """
        result = await self._request("sampleCursor/chunk", given(sampleCursor=self.handle))
        return Chunk.of(result)

    def _made_copy(self, result: protocol.SampleCursorCopyResult) -> AsyncSampleCursor:
        raise NotImplementedError

    async def copy(self) -> AsyncSampleCursor:
        """Makes another cursor at the same position; each moves independently."""
        result = await self._request("sampleCursor/copy", given(sampleCursor=self.handle))
        return self._made_copy(result)

    async def compare(self, other: AsyncSampleCursor | SampleCursor) -> int:
        """Compares the positions of two cursors of one track in decode order.

        - ``other``: The right cursor.

        Returns: -1 when the left one is first, 0 when both are at one sample, 1 when the right one
        is first.
        """
        result = await self._request(
            "sampleCursor/compare", given(lhs=self.handle, rhs=other.handle)
        )
        return int(result["order"])

    async def has_earlier_decoded_presented_later(
        self,
        other: AsyncSampleCursor | SampleCursor,
    ) -> bool:
        """Returns whether a sample that is decoded before this one is presented after the other.

        - ``other``: The cursor whose presentation time counts; it may be the same.

        Returns: True if a sample that is decoded before that of ``sampleCursor`` is presented after
        that of ``other``.
        """
        result = await self._request(
            "sampleCursor/reordering", given(sampleCursor=self.handle, to=other.handle)
        )
        return result["hasEarlierDecodedPresentedLater"]

    async def has_later_decoded_presented_earlier(
        self,
        other: AsyncSampleCursor | SampleCursor,
    ) -> bool:
        """Returns whether a sample that is decoded after this one is presented before the other.

        - ``other``: The cursor whose presentation time counts; it may be the same.

        Returns: True if a sample that is decoded after that of ``sampleCursor`` is presented before
        that of ``other``.
        """
        result = await self._request(
            "sampleCursor/reordering", given(sampleCursor=self.handle, to=other.handle)
        )
        return result["hasLaterDecodedPresentedEarlier"]


class BlockingSampleCursorCalls:
    """The calls of a sample cursor, which wait for their answers."""

    step = blocking(SampleCursorCalls.step)
    step_by_time = blocking(SampleCursorCalls.step_by_time)
    sample = blocking(SampleCursorCalls.sample)
    read = blocking(SampleCursorCalls.read)
    chunk = blocking(SampleCursorCalls.chunk)
    copy: Any = blocking(SampleCursorCalls.copy)
    compare = blocking(SampleCursorCalls.compare)
    has_earlier_decoded_presented_later = blocking(SampleCursorCalls.has_earlier_decoded_presented_later)
    has_later_decoded_presented_earlier = blocking(SampleCursorCalls.has_later_decoded_presented_earlier)


class PlayerState(NamedTuple):
    """The result of ``state`` of a player."""

    #: The readiness: `readyToPlay` once an item was tried, `failed` when the worker process has
    #: died.
    status: protocol.PlaybackStatus
    #: The reason for which it has failed.
    error: ReelwireError | None
    #: The desired rate; 0 is paused.
    rate: float
    #: The rate of the item's time: 0 while the player waits or seeks, and before a host time.
    effective_rate: float
    #: The rate that `player/play` sets.
    default_rate: float
    #: The state of playback: paused, waiting or playing.
    time_control_status: protocol.TimeControlStatus
    #: The reason for which it waits, while it does.
    reason_for_waiting_to_play: protocol.WaitingReason | None
    #: The item that is played.
    current_item: protocol.PlayerItemHandle | None
    #: The item's time, while seeking the requested one; `"invalid"` without an item.
    time: MediaTime
    #: True while a seek hasn't ended.
    is_seeking: bool
    #: The time of the clock.
    host_time: MediaTime
    #: The clock that is in use: `host` instead of `audio` while no device plays.
    clock: protocol.PlayerClock
    #: The volume, from 0 to 1.
    volume: float
    #: True for no audio, regardless of the volume.
    is_muted: bool
    #: The action at the end of an item.
    action_at_item_end: protocol.ActionAtItemEnd
    #: True if a player that has too little decoded waits and continues automatically.
    automatically_waits_to_minimize_stalling: bool
    #: The number of jumps of the item's time.
    revision: int
    #: The audio.
    audio: protocol.PlayerAudio


class PlayerCalls(Remote):
    """The calls of a player."""

    async def play(self) -> protocol.PlayerRate:
        """Sets the rate to the player's ``defaultRate``."""
        return await self._request("player/play", given(player=self.handle))

    async def pause(self) -> protocol.PlayerRate:
        """Sets the rate to 0."""
        return await self._request("player/pause", given(player=self.handle))

    async def set_rate(
        self,
        rate: float,
        *,
        time: TimeLike | None = None,
        at_host_time: TimeLike | None = None,
        immediately: bool | None = None,
    ) -> protocol.PlayerRate:
        """Sets the rate, and with it the time that the item has at a host time.

        With ``at_host_time`` the item's time is ``time`` at that host time. If it has passed, it is
        as if the item had run since, through its ends and the passes of a loop, whose events are
        left out; if it is still to come, time stands at ``time`` until then. With ``time`` alone
        the item continues there at once. Both need ``automaticallyWaitsToMinimizeStalling`` to be
        ``false``. ``time`` is exact, and a jump: the revision becomes the next number.

        - ``rate``: The rate, from -32 to 32: 1 is normal speed, 0 is paused, below 0 is backward.
        - ``time``: The item's time; the current one when absent.
        - ``at_host_time``: The time of the player's clock; as soon as possible when absent.
        - ``immediately``: True to play at once, even if little is decoded. Default: ``False``.
        """
        return await self._request(
            "player/setRate",
            given(
                player=self.handle,
                rate=rate,
                time=time_to_wire(time),
                atHostTime=time_to_wire(at_host_time),
                immediately=immediately,
            ),
        )

    async def state(self) -> PlayerState:
        """Returns the state of a player at one moment, without waiting for earlier requests."""
        result = await self._request("player/state", given(player=self.handle))
        return PlayerState(
            result["status"],
            error_from_wire(result["error"]) if result.get("error") is not None else None,
            result["rate"],
            result["effectiveRate"],
            result["defaultRate"],
            result["timeControlStatus"],
            result.get("reasonForWaitingToPlay"),
            result.get("currentItem"),
            MediaTime.of(result["time"]),
            result["isSeeking"],
            MediaTime.of(result["hostTime"]),
            result["clock"],
            result["volume"],
            result["isMuted"],
            result["actionAtItemEnd"],
            result["automaticallyWaitsToMinimizeStalling"],
            int(result["revision"]),
            result["audio"],
        )

    async def cancel_pending_seeks(self) -> int:
        """Ends the seeks that haven't ended, with ``finished`` ``false``.

        Returns: The number of operations.
        """
        result = await self._request("player/cancelPendingSeeks", given(player=self.handle))
        return int(result["cancelled"])

    async def cancel_pending_prerolls(self) -> int:
        """Ends the prerolls that haven't ended, with ``finished`` ``false``.

        Returns: The number of operations.
        """
        result = await self._request("player/cancelPendingPrerolls", given(player=self.handle))
        return int(result["cancelled"])

    async def remove(self, player_item: AsyncPlayerItem | PlayerItem) -> None:
        """Removes an item; where it is the current one, the next one follows.

        - ``player_item``: The item.
        """
        await self._request(
            "player/remove", given(player=self.handle, playerItem=player_item.handle)
        )

    async def remove_all_items(self) -> None:
        """Removes all items of a player.

        Its rate stays.
        """
        await self._request("player/removeAllItems", given(player=self.handle))

    async def finish_audio_file(self) -> protocol.PlayerFinishAudioFileResult:
        """Finishes the file that a player writes its audio to, and gives it its name.

        The player has no audio device from then on. Without this request there is no file.
        """
        return await self._request("player/finishAudioFile", given(player=self.handle))


class BlockingPlayerCalls:
    """The calls of a player, which wait for their answers."""

    play = blocking(PlayerCalls.play)
    pause = blocking(PlayerCalls.pause)
    set_rate = blocking(PlayerCalls.set_rate)
    state = blocking(PlayerCalls.state)
    cancel_pending_seeks = blocking(PlayerCalls.cancel_pending_seeks)
    cancel_pending_prerolls = blocking(PlayerCalls.cancel_pending_prerolls)
    remove = blocking(PlayerCalls.remove)
    remove_all_items = blocking(PlayerCalls.remove_all_items)
    finish_audio_file = blocking(PlayerCalls.finish_audio_file)


class PlayerItemState(NamedTuple):
    """The result of ``state`` of a player item."""

    #: The readiness: `unknown` until a player has loaded it.
    status: protocol.PlaybackStatus
    #: The reason for which it has failed.
    error: ReelwireError | None
    #: The duration, regardless of its end times; `"indefinite"` until it is ready.
    duration: MediaTime
    #: The size of its frames, upright; absent without video.
    presentation_size: protocol.Size | None
    #: Its time; `"invalid"` without a player.
    time: MediaTime
    #: The player that has it.
    player: protocol.PlayerHandle | None
    #: The tracks, once it is ready.
    tracks: list[protocol.PlayerItemTrack]
    #: The ranges that are decoded ahead.
    loaded_time_ranges: list[TimeRange]
    #: The ranges within which seeks are possible.
    seekable_time_ranges: list[TimeRange]
    #: True if enough is decoded to continue playing.
    is_playback_likely_to_keep_up: bool
    #: True if no more is decoded ahead.
    is_playback_buffer_full: bool
    #: True if nothing is decoded ahead.
    is_playback_buffer_empty: bool
    #: True for rates above 2. Those from 1 to 2 can always be played.
    can_play_fast_forward: bool
    #: True for rates between 0 and 1.
    can_play_slow_forward: bool
    #: True for the rate -1.
    can_play_reverse: bool
    #: True for rates between -1 and 0.
    can_play_slow_reverse: bool
    #: True for rates below -1.
    can_play_fast_reverse: bool
    #: True if it can be moved forward by frames, at its end as well.
    can_step_forward: bool
    #: True if it can be moved backward by frames, at its start as well.
    can_step_backward: bool
    #: The reason for which it can't play backward or step.
    reason: str | None
    #: The number of samples that the decoders have refused, in what was played; in each pass anew.
    damaged_samples: int
    #: The damage that was met in each track, as `damagedSamples`, with its reason; absent without
    #: any. It is that of the pass that has met the most. That a file is cut short is known at its
    #: end.
    dropped: list[protocol.Dropped] | None


class PlayerItemStep(NamedTuple):
    """The result of ``step`` of a player item."""

    #: The number of frames that the item was moved by, below 0 for steps back: fewer at an end.
    stepped: int
    #: The item's time.
    time: MediaTime
    #: The number of the frame, from 0, in presentation order; absent where frames have none.
    sample_index: int | None
    #: The number of jumps of the item's time.
    revision: int


class PlayerItemCalls(Remote):
    """The calls of a player item."""

    async def select(
        self,
        characteristic: protocol.MediaCharacteristic,
        *,
        track: TrackLike | None = None,
    ) -> None:
        """Presents one of the tracks that are alternatives to each other, as
        ``asset/mediaSelectionGroup`` lists them, or none of them.

        - ``characteristic``: The characteristic of the tracks to choose from: ``audible``,
          ``visual`` or ``legible``.
        - ``track``: The track; none of them when absent or ``None``.
        """
        await self._request(
            "playerItem/select",
            given(
                playerItem=self.handle,
                characteristic=characteristic,
                trackID=track_number(track),
            ),
        )

    async def state(self) -> PlayerItemState:
        """Returns the state of an item at one moment, without waiting for earlier requests."""
        result = await self._request("playerItem/state", given(playerItem=self.handle))
        return PlayerItemState(
            result["status"],
            error_from_wire(result["error"]) if result.get("error") is not None else None,
            MediaTime.of(result["duration"]),
            result.get("presentationSize"),
            MediaTime.of(result["time"]),
            result.get("player"),
            result["tracks"],
            [TimeRange.of(each) for each in result["loadedTimeRanges"]],
            [TimeRange.of(each) for each in result["seekableTimeRanges"]],
            result["isPlaybackLikelyToKeepUp"],
            result["isPlaybackBufferFull"],
            result["isPlaybackBufferEmpty"],
            result["canPlayFastForward"],
            result["canPlaySlowForward"],
            result["canPlayReverse"],
            result["canPlaySlowReverse"],
            result["canPlayFastReverse"],
            result["canStepForward"],
            result["canStepBackward"],
            result.get("reason"),
            int(result["damagedSamples"]),
            result.get("dropped"),
        )

    async def step(self, count: int) -> PlayerItemStep:
        """Moves the current item of a player by frames of its first enabled video track.

        The player is paused first. The item's time becomes exactly the start of the frame, and the
        request is answered when that frame is available.

        - ``count``: The number of frames; below 0 for steps back.
        """
        result = await self._request("playerItem/step", given(playerItem=self.handle, count=count))
        return PlayerItemStep(
            int(result["stepped"]),
            MediaTime.of(result["time"]),
            int(result["sampleIndex"]) if result.get("sampleIndex") is not None else None,
            int(result["revision"]),
        )


class BlockingPlayerItemCalls:
    """The calls of a player item, which wait for their answers."""

    select = blocking(PlayerItemCalls.select)
    state = blocking(PlayerItemCalls.state)
    step = blocking(PlayerItemCalls.step)


class VideoOutputHasNewPixelBuffer(NamedTuple):
    """The result of ``has_new_pixel_buffer`` of a video output."""

    #: True if there is one.
    has_new: bool
    #: The item's time to which the answer applies.
    item_time: MediaTime


class VideoOutputCalls(Remote):
    """The calls of a video output."""

    async def has_new_pixel_buffer(
        self,
        *,
        item_time: TimeLike | None = None,
        host_time: TimeLike | None = None,
    ) -> VideoOutputHasNewPixelBuffer:
        """Returns whether there is a frame at a time that this output hasn't delivered yet.

        At most one of the times is possible; without either it is now.

        - ``item_time``: The item's time.
        - ``host_time``: The time of the player's clock.
        """
        result = await self._request(
            "videoOutput/hasNewPixelBuffer",
            given(
                videoOutput=self.handle,
                itemTime=time_to_wire(item_time),
                hostTime=time_to_wire(host_time),
            ),
        )
        return VideoOutputHasNewPixelBuffer(
            result["hasNew"],
            MediaTime.of(result["itemTime"]),
        )

    async def item_time(self, host_time: TimeLike) -> MediaTime:
        """Returns the item's time at a host time, if the rate stays as it is.

        - ``host_time``: The time of the player's clock.

        Returns: The item's time.
        """
        result = await self._request(
            "videoOutput/itemTime",
            given(
                videoOutput=self.handle,
                hostTime=MediaTime.of(host_time).to_wire(),
            ),
        )
        return MediaTime.of(result["itemTime"])

    async def request_notification_of_media_data_change(self, advance_interval: TimeLike) -> None:
        """Requests one notification of the next frame that this output hasn't delivered.

        - ``advance_interval``: The time by which the notification precedes the frame.
        """
        await self._request(
            "videoOutput/requestNotificationOfMediaDataChange",
            given(
                videoOutput=self.handle,
                advanceInterval=MediaTime.of(advance_interval).to_wire(),
            ),
        )


class BlockingVideoOutputCalls:
    """The calls of a video output, which wait for their answers."""

    has_new_pixel_buffer = blocking(VideoOutputCalls.has_new_pixel_buffer)
    item_time = blocking(VideoOutputCalls.item_time)
    request_notification_of_media_data_change = blocking(VideoOutputCalls.request_notification_of_media_data_change)


class PlayerLooperState(NamedTuple):
    """The result of ``state`` of a player looper."""

    #: The readiness.
    status: protocol.LooperStatus
    #: The reason for which it has failed.
    error: ReelwireError | None
    #: The number of times that the item has begun again.
    loop_count: int
    #: The items that loop.
    looping_player_items: list[protocol.PlayerItemHandle]


class PlayerLooperCalls(Remote):
    """The calls of a player looper."""

    async def state(self) -> PlayerLooperState:
        """Returns the state of a looper."""
        result = await self._request("playerLooper/state", given(playerLooper=self.handle))
        return PlayerLooperState(
            result["status"],
            error_from_wire(result["error"]) if result.get("error") is not None else None,
            int(result["loopCount"]),
            result["loopingPlayerItems"],
        )

    async def disable(self) -> None:
        """Stops looping: the pass that plays now is the last one."""
        await self._request("playerLooper/disable", given(playerLooper=self.handle))


class BlockingPlayerLooperCalls:
    """The calls of a player looper, which wait for their answers."""

    state = blocking(PlayerLooperCalls.state)
    disable = blocking(PlayerLooperCalls.disable)


class AudioPlayerState(NamedTuple):
    """The result of ``state`` of an audio player."""

    #: True while it plays, or waits to play at a host time.
    is_playing: bool
    #: The time within the pass; during a seek, its target.
    current_time: MediaTime
    #: The time of the clock.
    device_current_time: MediaTime
    #: The duration of one pass.
    duration: MediaTime
    #: The number of times that playback has begun again after a pass, since the player was
    #: created.
    loop: int
    #: The number of passes after the first one; -1 for an unlimited number.
    number_of_loops: int
    #: The volume, or the one that it fades to.
    volume: float
    #: The position between left, -1, and right, 1.
    pan: float
    #: The rate that it plays at.
    rate: float
    #: The clock that is in use: `host` instead of `audio` while no device plays.
    clock: protocol.PlayerClock
    #: The audio.
    audio: protocol.PlayerAudio


class AudioPlayerMeters(NamedTuple):
    """The result of ``meters`` of an audio player."""

    #: The time of the clock.
    host_time: MediaTime
    #: The levels by channel: left, right.
    channels: list[protocol.AudioLevel]


class AudioPlayerCalls(Remote):
    """The calls of an audio player."""

    async def prepare_to_play(self) -> None:
        """Decodes the audio that playing begins with, so that it begins at once."""
        await self._request("audioPlayer/prepareToPlay", given(audioPlayer=self.handle))

    async def play(self, *, at_host_time: TimeLike | None = None) -> None:
        """Plays from the current time on; after the end, all passes from the start.

        - ``at_host_time``: The time of the player's clock to begin at; as soon as possible when
          absent. If it has passed, playback is where it would be if it had begun then.
        """
        await self._request(
            "audioPlayer/play",
            given(
                audioPlayer=self.handle,
                atHostTime=time_to_wire(at_host_time),
            ),
        )

    async def pause(self) -> None:
        """Stops at the current time, and stays prepared."""
        await self._request("audioPlayer/pause", given(audioPlayer=self.handle))

    async def stop(self) -> None:
        """Stops at the current time, and releases the prepared audio.

        The current time stays, and no ``audioPlayer/didFinishPlaying`` is sent.
        """
        await self._request("audioPlayer/stop", given(audioPlayer=self.handle))

    async def set(
        self,
        *,
        volume: float | None = None,
        fade_duration: TimeLike | None = None,
        pan: float | None = None,
        rate: float | None = None,
        number_of_loops: int | None = None,
        current_time: TimeLike | None = None,
    ) -> None:
        """Changes settings of an audio player; members that are left out stay as they are.

        - ``volume``: The volume, from 0 to 1.
        - ``fade_duration``: The time over which the volume changes, as far as it plays; only with
          ``volume``.
        - ``pan``: The position between left, -1, and right, 1.
        - ``rate``: The rate, from 0.5 to 2; refused if rates aren't enabled.
        - ``number_of_loops``: The number of passes after the current one; -1 for an unlimited
          number.
        - ``current_time``: The time to go to, exactly: from 0 to the duration.
        """
        await self._request(
            "audioPlayer/set",
            given(
                audioPlayer=self.handle,
                volume=volume,
                fadeDuration=time_to_wire(fade_duration),
                pan=pan,
                rate=rate,
                numberOfLoops=number_of_loops,
                currentTime=time_to_wire(current_time),
            ),
        )

    async def state(self) -> AudioPlayerState:
        """Returns one moment of an audio player, without waiting for earlier requests."""
        result = await self._request("audioPlayer/state", given(audioPlayer=self.handle))
        return AudioPlayerState(
            result["isPlaying"],
            MediaTime.of(result["currentTime"]),
            MediaTime.of(result["deviceCurrentTime"]),
            MediaTime.of(result["duration"]),
            int(result["loop"]),
            int(result["numberOfLoops"]),
            result["volume"],
            result["pan"],
            result["rate"],
            result["clock"],
            result["audio"],
        )

    async def meters(self) -> AudioPlayerMeters:
        """Returns the levels of the last 50 ms of audio that the device received, without waiting.

        Without a device they are those of silence.
        """
        result = await self._request("audioPlayer/meters", given(audioPlayer=self.handle))
        return AudioPlayerMeters(
            MediaTime.of(result["hostTime"]),
            result["channels"],
        )

    async def finish_audio_file(self) -> protocol.AudioPlayerFinishAudioFileResult:
        """Finishes the file that an audio player writes its audio to, and gives it its name.

        The audio player has no audio device from then on. Without this request there is no file.
        """
        return await self._request("audioPlayer/finishAudioFile", given(audioPlayer=self.handle))


class BlockingAudioPlayerCalls:
    """The calls of an audio player, which wait for their answers."""

    prepare_to_play = blocking(AudioPlayerCalls.prepare_to_play)
    play = blocking(AudioPlayerCalls.play)
    pause = blocking(AudioPlayerCalls.pause)
    stop = blocking(AudioPlayerCalls.stop)
    set = blocking(AudioPlayerCalls.set)
    state = blocking(AudioPlayerCalls.state)
    meters = blocking(AudioPlayerCalls.meters)
    finish_audio_file = blocking(AudioPlayerCalls.finish_audio_file)


class CaptureSessionState(NamedTuple):
    """The result of ``state`` of a capture session."""

    #: True while it runs.
    is_running: bool
    #: True while an input delivers nothing.
    is_interrupted: bool
    #: The clock.
    clock: protocol.CaptureClock
    #: The time of the clock.
    time: MediaTime
    #: The inputs.
    inputs: list[protocol.CaptureInputState]
    #: The outputs.
    outputs: list[protocol.CaptureOutputState]


class CaptureSessionAdvanceClock(NamedTuple):
    """The result of ``advance_clock`` of a capture session."""

    #: The time of the clock.
    time: MediaTime
    #: The number of frames and buffers of audio that were captured.
    captured: int
    #: The number of notifications that resulted, all of them sent before this answer.
    notifications: int


class CaptureSessionCalls(Remote):
    """The calls of a capture session."""

    async def state(self) -> CaptureSessionState:
        """Returns one moment of a session."""
        result = await self._request("captureSession/state", given(captureSession=self.handle))
        return CaptureSessionState(
            result["isRunning"],
            result["isInterrupted"],
            result["clock"],
            MediaTime.of(result["time"]),
            result["inputs"],
            result["outputs"],
        )

    async def advance_clock(self, by: TimeLike) -> CaptureSessionAdvanceClock:
        """Moves a manual clock: captures everything that begins before the new time, audio to the
        exact sample.

        It is answered when all of that is encoded, delivered and reported.

        - ``by``: The time to advance by, above 0.
        """
        result = await self._request(
            "captureSession/advanceClock",
            given(
                captureSession=self.handle,
                by=MediaTime.of(by).to_wire(),
            ),
        )
        return CaptureSessionAdvanceClock(
            MediaTime.of(result["time"]),
            int(result["captured"]),
            int(result["notifications"]),
        )


class BlockingCaptureSessionCalls:
    """The calls of a capture session, which wait for their answers."""

    state = blocking(CaptureSessionCalls.state)
    advance_clock = blocking(CaptureSessionCalls.advance_clock)


class CaptureOutputRecordingState(NamedTuple):
    """The result of ``recording_state`` of a capture output."""

    #: True while a recording is in progress.
    is_recording: bool
    #: True while it is paused.
    is_paused: bool
    #: The path of the file.
    output_url: str | None
    #: The duration of the longest track.
    recorded_duration: MediaTime
    #: The size of the part of the file that is written, in bytes.
    recorded_file_size: int


class CaptureOutputLevels(NamedTuple):
    """The result of ``levels`` of a capture output."""

    #: The time at which the measured audio ends.
    time: MediaTime
    #: The levels of all channels; empty before the first sample.
    channels: list[protocol.CaptureLevel]


class CaptureOutputCalls(Remote):
    """The calls of a capture output."""

    async def stop_recording(self) -> None:
        """Stops a recording: samples that are captured until now are in it.

        ``captureOutput/didFinishRecording`` follows.
        """
        await self._request("captureOutput/stopRecording", given(captureOutput=self.handle))

    async def pause_recording(self) -> None:
        """Pauses a recording: samples that are captured from now on aren't in it."""
        await self._request("captureOutput/pauseRecording", given(captureOutput=self.handle))

    async def resume_recording(self) -> None:
        """Continues a paused recording.

        The pause is cut out of all tracks alike.
        """
        await self._request("captureOutput/resumeRecording", given(captureOutput=self.handle))

    async def recording_state(self) -> CaptureOutputRecordingState:
        """Returns one moment of an output's recording."""
        result = await self._request(
            "captureOutput/recordingState", given(captureOutput=self.handle)
        )
        return CaptureOutputRecordingState(
            result["isRecording"],
            result["isPaused"],
            result.get("outputURL"),
            MediaTime.of(result["recordedDuration"]),
            int(result["recordedFileSize"]),
        )

    async def levels(self) -> CaptureOutputLevels:
        """Returns the levels of an output's audio."""
        result = await self._request("captureOutput/levels", given(captureOutput=self.handle))
        return CaptureOutputLevels(
            MediaTime.of(result["time"]),
            result["channels"],
        )


class BlockingCaptureOutputCalls:
    """The calls of a capture output, which wait for their answers."""

    stop_recording = blocking(CaptureOutputCalls.stop_recording)
    pause_recording = blocking(CaptureOutputCalls.pause_recording)
    resume_recording = blocking(CaptureOutputCalls.resume_recording)
    recording_state = blocking(CaptureOutputCalls.recording_state)
    levels = blocking(CaptureOutputCalls.levels)


class AudioRecorderState(NamedTuple):
    """The result of ``state`` of an audio recorder."""

    #: True while it records, and isn't paused.
    is_recording: bool
    #: The duration of the recording so far; 0 if nothing is being recorded.
    current_time: MediaTime
    #: The time of the clock.
    device_current_time: MediaTime


class AudioRecorderMeters(NamedTuple):
    """The result of ``meters`` of an audio recorder."""

    #: The time at which the measured audio ends.
    time: MediaTime
    #: The levels of all channels.
    channels: list[protocol.CaptureLevel]


class AudioRecorderCalls(Remote):
    """The calls of an audio recorder."""

    async def prepare_to_record(self) -> None:
        """Creates the file and starts the device, so that recording begins at once."""
        await self._request("audioRecorder/prepareToRecord", given(audioRecorder=self.handle))

    async def pause(self) -> None:
        """Pauses: audio that is captured from now on isn't in the file."""
        await self._request("audioRecorder/pause", given(audioRecorder=self.handle))

    async def delete_recording(self) -> None:
        """Removes the file that the recorder created last, but no other file that has replaced it
        at its path.
        """
        await self._request("audioRecorder/deleteRecording", given(audioRecorder=self.handle))

    async def state(self) -> AudioRecorderState:
        """Returns one moment of a recorder."""
        result = await self._request("audioRecorder/state", given(audioRecorder=self.handle))
        return AudioRecorderState(
            result["isRecording"],
            MediaTime.of(result["currentTime"]),
            MediaTime.of(result["deviceCurrentTime"]),
        )

    async def meters(self) -> AudioRecorderMeters:
        """Returns the levels of the audio that is recorded."""
        result = await self._request("audioRecorder/meters", given(audioRecorder=self.handle))
        return AudioRecorderMeters(
            MediaTime.of(result["time"]),
            result["channels"],
        )

    async def advance_clock(self, by: TimeLike) -> MediaTime:
        """Moves a manual clock.

        - ``by``: The time to advance by, above 0.

        Returns: The time of the clock.
        """
        result = await self._request(
            "audioRecorder/advanceClock",
            given(
                audioRecorder=self.handle,
                by=MediaTime.of(by).to_wire(),
            ),
        )
        return MediaTime.of(result["time"])


class BlockingAudioRecorderCalls:
    """The calls of an audio recorder, which wait for their answers."""

    prepare_to_record = blocking(AudioRecorderCalls.prepare_to_record)
    pause = blocking(AudioRecorderCalls.pause)
    delete_recording = blocking(AudioRecorderCalls.delete_recording)
    state = blocking(AudioRecorderCalls.state)
    meters = blocking(AudioRecorderCalls.meters)
    advance_clock = blocking(AudioRecorderCalls.advance_clock)


class LibraryCalls(Remote):
    """The calls of a library."""

    async def add_folder(
        self,
        path: str | os.PathLike[str],
        excluded: Iterable[str] | None = None,
        *,
        follows_symbolic_links: bool | None = None,
    ) -> None:
        """Adds a folder to a library; a scan reads it.

        A folder that it has already gets the new list of excluded folders, if there is one. No
        folder may lie below another one of the library. Without ``follows_symbolic_links`` links
        are ignored. With it files and folders that links lead to belong to the library, at the
        paths of the links, anywhere below the allowed folders. A file or folder that is reached
        twice, by its device and inode, is there once, without links if possible; so cycles end. A
        scan lists links that lead nowhere or can't be followed. Each scan is then one of the whole
        folder.

        - ``path``: The path of the folder.
        - ``excluded``: Folders below it that don't belong to the library, as paths from it. Left
          out: no change, which is none for a new folder.
        - ``follows_symbolic_links``: True to follow symbolic links in it. Left out: no change,
          which is ``false`` for a new folder.
        """
        await self._request(
            "library/addFolder",
            given(
                library=self.handle,
                path=absolute_folder(path),
                excluded=listed(excluded),
                followsSymbolicLinks=follows_symbolic_links,
            ),
        )

    async def remove_folder(self, path: str | os.PathLike[str]) -> None:
        """Removes a folder and its items from a library; the files stay.

        - ``path``: The path of the folder.
        """
        await self._request(
            "library/removeFolder", given(library=self.handle, path=absolute_folder(path))
        )

    def _worked_scan(
        self, method: str, params: Any, progress: ScanProgressLike
    ) -> Awaitable[ScanResult]:
        raise NotImplementedError

    async def scan(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        progress: ScanProgressLike = None,
    ) -> ScanResult:
        """Brings a library up to date: all of its folders, or one folder with those below it.

        A file that hasn't changed since it was last read is not opened. An item whose file has
        moved or been renamed stays the same item. Files that are gone are ``missing`` for thirty
        days before they are forgotten. A folder that isn't there, or is empty and wasn't before, is
        ``offline``, and nothing below it changes. A file that can't be read is an item with an
        ``error``. The work ends with ``library/didScan``; when it is cancelled, the items that were
        read stay, and the next scan continues from there. Closing the library cancels it, as
        closing the operation does.

        - ``folder``: The path of a folder of the library, or of one below; all of its folders when
          absent.
        - ``progress``: Is called with how far it is, and an error that it raises cancels the work; ``True`` shows it.
        """
        params = given(library=self.handle, folder=None if folder is None else absolute_folder(folder))
        return await self._worked_scan("library/scan", params, progress)

    async def cancel_scan(self) -> None:
        """Cancels all scans of a library; each ends with its terminal notification."""
        await self._request("library/cancelScan", given(library=self.handle))

    async def status(self) -> protocol.LibraryStatusResult:
        """Returns the folders of a library, with their states."""
        return await self._request("library/status", given(library=self.handle))

    def _made_collections(self, result: protocol.LibraryCollectionsResult) -> list[AsyncLibraryCollection]:
        raise NotImplementedError

    async def collections(
        self,
        type: protocol.LibraryCollectionType,
    ) -> list[AsyncLibraryCollection]:
        """Returns the collections of a library that have items.

        - ``type``: The property that the items of each have in common.

        Returns: The collections, in the order of their titles; smart ones in that of their list.
        """
        result = await self._request("library/collections", given(library=self.handle, type=type))
        return self._made_collections(result)

    async def changes(self, since: int) -> LibraryChanges:
        """Returns the changes of a library since a change token, also since one of an earlier
        connection.

        - ``since``: A change token; the last 100,000 changes are known.
        """
        result = await self._request("library/changes", given(library=self.handle, since=since))
        return LibraryChanges.of(result)

    def _worked_duplicates(
        self, method: str, params: Any, progress: ProgressLike
    ) -> Awaitable[list[list[AsyncLibraryItem]]]:
        raise NotImplementedError

    async def duplicates(self, *, progress: ProgressLike = None) -> list[list[AsyncLibraryItem]]:
        """Finds files of the same content in a library.

        Files of one size whose beginnings and ends are alike are read whole and compared by their
        SHA-256; hard links to one file are no duplicates. Nothing is changed. The work ends with
        ``library/didFindDuplicates``. Closing the library cancels it, as closing the operation
        does.

        - ``progress``: Is called with how far it is, and an error that it raises cancels the work; ``True`` shows it.
        """
        params = given(library=self.handle)
        return await self._worked_duplicates("library/duplicates", params, progress)


class BlockingLibraryCalls:
    """The calls of a library, which wait for their answers."""

    add_folder = blocking(LibraryCalls.add_folder)
    remove_folder = blocking(LibraryCalls.remove_folder)
    scan = blocking(LibraryCalls.scan)
    cancel_scan = blocking(LibraryCalls.cancel_scan)
    status = blocking(LibraryCalls.status)
    collections: Any = blocking(LibraryCalls.collections)
    changes = blocking(LibraryCalls.changes)
    duplicates: Any = blocking(LibraryCalls.duplicates)
