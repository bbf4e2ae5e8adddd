"""The engine: one process, and everything that is opened in it."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal

from . import protocol
from .asset import Asset, AsyncAsset
from .asset_writer import AssetWriter, AsyncAssetWriter, WriterResult, inputs_to_wire, started
from .audio_player import AudioPlayer, AudioPlayerMaking
from .audio_recorder import AudioRecorder, AudioRecorderMaking
from .binary import find_binary
from .blob import absolute_path, file_url
from .calls import BlockingEngineCalls, EngineCalls
from .capture_session import CaptureMaking, CaptureSession
from .clips import ClipLike, Term
from .composition import AsyncComposition, Composition, composed, created
from .composition_documents import assembled, expanded, imported
from .compositor import Compositor
from .errors import EngineClosedError
from .joins import JoinLike, JoinResult, exported
from .library import AsyncLibrary, Library, opened
from .metadata import ChapterLike, MetadataLike, chapters_to_wire, metadata_to_wire
from .media_bytes import MediaBytes, MediaLike, media_bytes, scheme_of
from .player import Player
from .player_item import PlayerItem
from .player_making import PlayerMaking
from .portal import ClosableFace, Portal, blocking, making
from .progress import ProgressLike
from .remote import given
from .resource import Resource
from .segments import Segments, WriterOutput
from .time import TimeLike
from .transport import Transport
from .version import PROTOCOL_VERSION, VERSION
from .wire import listed, ratio_to_wire, time_to_wire
from .writer_relations import Association, InputGroup, associations_to_wire, groups_to_wire
from .video_writing import FramesLike, Writing, written, written_async
from .writer_inputs import RateLike, WriterInput, rate_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .export_session import ExportOptions

__all__ = ["AsyncEngine", "CapturePermission", "Engine", "join", "write_video"]

#: The kinds of devices that an engine may be allowed to capture.
CapturePermission = Literal["camera", "microphone", "screen", "all"]


class AsyncEngine(
    PlayerMaking, AudioPlayerMaking, CaptureMaking, AudioRecorderMaking, EngineCalls
):
    """An engine for asyncio: ``async with AsyncEngine() as engine:``.

    The program is ``binary``, or ``REELWIRE_BINARY``, or the one inside this package, or on the
    PATH, or in the build folder of a checkout. ``arguments`` follow ``reelwire serve``. ``allow_capture``
    lists the devices that it may capture: ``camera``, ``microphone`` and ``screen``, by default none. The process
    ends with the ``async with``, or with this program.
    """

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        arguments: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
        allow_capture: Iterable[CapturePermission] = (),
    ) -> None:
        self._command = [find_binary(binary), "serve", *arguments]
        if permissions := list(listed(allow_capture) or ()):
            self._command += ["--allow-capture", ",".join(permissions)]
        self._env = env
        self._transport: Transport | None = None
        self._info: protocol.InitializeResult | None = None

    async def start(self) -> AsyncEngine:
        """Starts the process, unless it runs already."""
        if self._transport is None:
            transport = Transport(self._command, self._env)
            transport.compose = composed
            await transport.spawn()
            self._transport = transport
            try:
                self._info = await transport.request(
                    "initialize",
                    {
                        "processId": os.getpid(),
                        "protocolVersion": PROTOCOL_VERSION,
                        "clientInfo": {"name": "python", "version": VERSION},
                    },
                )
                able = self._info["capabilities"]
                transport.message_limit = int(able.get("maxMessageBytes", 0))
                if "shm" in able.get("deliveries", ()):
                    transport.shared_memory.limit = int(able["maxSharedMemoryBytes"])
            except BaseException:
                await transport.close()
                raise
        return self

    @property
    def transport(self) -> Transport:
        """The process and its messages."""
        if self._transport is None:
            raise EngineClosedError(
                "the engine is not started", hint="Use `async with`, or `await engine.start()`."
            )
        return self._transport

    @property
    def _request(self) -> protocol.AsyncRequest:
        return self.transport.request

    @property
    def info(self) -> protocol.InitializeResult:
        """The engine's report of itself: its version, its FFmpeg, its limits."""
        if self._info is None:
            raise EngineClosedError(
                "the engine is not started", hint="Use `async with`, or `await engine.start()`."
            )
        return self._info

    @property
    def version(self) -> str:
        """The engine's version."""
        return self.info["serverInfo"].get("version", "")

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self.transport.pid

    @property
    def closed(self) -> bool:
        """True if it was closed or has crashed."""
        return self._transport is not None and not self._transport.is_alive

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to its stderr."""
        return self.transport.stderr

    def compositor(self, function: Compositor) -> AbstractContextManager[None]:
        """Draws the client's instructions of video compositions with a function, until the block ends.

        These are the instructions with ``"compositor": "client"``. The function gets a
        ``CompositionFrame``, and draws into its ``target``, a NumPy array in shared memory, or returns an
        array of that shape. It runs on a separate thread, one frame after the other. An exception of it
        fails the work that needs the frame, with ``VideoCompositorFailedError``.
        """
        return self.transport.compositors.using(function)

    async def open(
        self,
        source: MediaLike,
        *,
        prefer_precise_duration_and_timing: bool | None = None,
        salvage: bool | None = None,
        character_set: str | None = None,
        time_offset: float | None = None,
        frame_rate: RateLike | None = None,
        start_number: int | None = None,
        end_number: int | None = None,
        frame_step: int | None = None,
        missing_frame_policy: protocol.MissingFramePolicy | None = None,
    ) -> AsyncAsset:
        """Makes an asset of media, whose format is determined when a property is loaded.

        ``source`` is the path of a file, or a ``file:`` URL; or bytes in memory; or a file object that
        was opened with ``"rb"``; or an ``http`` or ``https`` URL, or one that fsspec supports, if it is
        installed. This process reads all sources other than files, piece by piece as the engine needs them; a
        source without random access, such as a pipe, is written to a temporary file of the engine's.
        A file object is read from its beginning, at any position, and must not be read by
        others meanwhile. Bytes must not change.

        ``character_set`` is that of text that isn't UTF-8, by IANA's name (``"windows-1251"``); without it,
        it is guessed. Raises ``IncorrectlyConfiguredError`` for an unknown one. ``time_offset`` is the delay of the
        cues of a file of subtitles, in seconds.

        With any of the other arguments ``source`` names numbered images, which are the frames of one video:
        ``engine.open("frame%04d.png", frame_rate=24)``. It is a pattern such as that or ``"frames/*.png"``, a
        folder, or the name of the first image. Numbers are those of the names; by default they are
        the lowest and the highest existing ones. ``frame_rate`` is 25 by default. A missing image is a
        ``ContentIsUnavailableError`` when a property is loaded, or with ``missing_frame_policy="hold"`` the
        previous one is shown longer.
        """
        images = given(
            frameRate=None if frame_rate is None else ratio_to_wire(rate_of(frame_rate)),
            startNumber=start_number,
            endNumber=end_number,
            frameStep=frame_step,
            missingFramePolicy=missing_frame_policy,
        )
        options = (
            given(
                preferPreciseDurationAndTiming=prefer_precise_duration_and_timing,
                salvage=salvage,
                characterSet=character_set,
                timeOffset=time_offset,
                imageSequence=images or None,
            )
            or None
        )
        is_local = isinstance(source, os.PathLike) or scheme_of(source) in (None, "file")
        if isinstance(source, (str, os.PathLike)) and is_local:
            url = file_url(source)
            result = await self.transport.request("asset/open", given(url=url, options=options))
            return AsyncAsset(self.transport, result["asset"], url)
        # Where a network is asked for it, this takes a while.
        loop = asyncio.get_running_loop()
        media = await loop.run_in_executor(None, media_bytes, source)
        return await self._open_resource(media, options)

    async def _open_resource(self, media: MediaBytes, options: Any) -> AsyncAsset:
        wire = given(
            length=media.length, isRandomAccess=media.is_random_access, name=media.name
        )
        result: Any = await self.transport.request(
            "asset/open", given(resource=wire, options=options)
        )
        resource = Resource(self.transport, result["resource"], media)
        self.transport.resources.add(result["resource"], resource)
        asset = AsyncAsset(self.transport, result["asset"], media.name)
        await resource.share_memory()
        return asset

    async def composition(
        self,
        clips: ClipLike | None = None,
        *,
        natural_size: tuple[float, float] | None = None,
        timeline: protocol.CompositionTimelineInput | None = None,
    ) -> AsyncComposition:
        """Makes a composition: an asset of parts of others, or one without tracks.

        ``clips`` are shown one after the other: ``a[1:3] + b[:2].at_speed(2)``, an asset, or a list of
        these. Pictures are fitted into ``natural_size``, a width and a height; without one it is the
        size of the first. ``timeline`` is a document that ``timeline()`` of a composition has
        returned, in place of clips.

        Raises ``InvalidCompositionTrackSegmentSourceDurationError`` for a part that reaches beyond its
        asset.
        """
        if clips is None:
            return await created(self.transport, natural_size, timeline)
        if timeline is not None:
            raise TypeError("a composition is made of clips or of a timeline, not of both")
        return await composed(self.transport, clips, natural_size)

    async def assemble(self, sequence: protocol.ClipSequenceInput) -> AsyncComposition:
        """Makes a composition of a sequence: clips with transitions, overlays and music.

        ``{"clips": [{"url": "a.mp4", "transition": {"duration": 1}}, {"asset": asset}]}``; times are
        as the protocol writes them, or ``MediaTime`` and ``TimeRange``. All that is wrong with it
        is in one error.
        """
        return await assembled(self.transport, sequence)

    async def expand_sequence(
        self, sequence: protocol.ClipSequenceInput
    ) -> protocol.CompositionTimeline:
        """The timeline that ``assemble`` would make of a sequence, without making it."""
        return await expanded(self.transport, sequence)

    async def import_composition(
        self,
        document: str | os.PathLike[str] | protocol.OpenTimelineIODocument,
        *,
        relative_to: str | os.PathLike[str] | None = None,
    ) -> AsyncComposition:
        """Makes a composition of a document of OpenTimelineIO, or of the ``.otio`` file of one.

        Relative URLs in it begin at the folder ``relative_to``, for a file at its own. Parts of the document that aren't
        in the composition are listed in its ``losses``. ``open_timeline_io()`` of a composition
        writes such a document.
        """
        return await imported(self.transport, document, relative_to)

    async def join(
        self,
        sources: Iterable[JoinLike],
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        progress: ProgressLike = None,
        **options: Unpack[ExportOptions],
    ) -> JoinResult:
        """Joins files, assets and parts of assets to a new file, without encoding video.

        Their samples are copied: at cuts inside a group of pictures only the frames around the cut
        are encoded, and lossy audio of several parts is encoded once, unless ``joins={"audio":
        "copy"}``. If the parts can't be copied, they are encoded with ``preset``; without one it
        is an ``OperationNotSupportedForAssetError`` that names the differences, and no file is made.
        The result reports the treatment of each part. The options are those of ``export_session``;
        ``tracks`` chooses among those of each file.
        """
        parts = [
            source if isinstance(source, Term) else await self.open(source)
            for source in sources
        ]
        if not parts:
            raise ValueError("join needs at least one file")
        # Each file has numbers and languages of its own.
        tracks = options.pop("tracks", None)
        async with await composed(self.transport, parts, tracks=tracks) as composition:
            return await exported(composition, output, preset, progress, options)

    async def asset_writer(
        self,
        output: WriterOutput,
        /,
        *,
        output_file_type: str | None = None,
        session_start: TimeLike = 0,
        groups: Iterable[InputGroup] | None = None,
        associations: Iterable[Association] | None = None,
        metadata: MetadataLike | None = None,
        chapters: Iterable[ChapterLike] | None = None,
        should_optimize_for_network_use: bool | None = None,
        movie_time_scale: int | None = None,
        movie_fragment_interval: TimeLike | None = None,
        directory_for_temporary_files: str | os.PathLike[str] | None = None,
        timeout: float = 10,
        **inputs: WriterInput,
    ) -> AsyncAssetWriter:
        """Makes a writer of frames, audio and samples: ``asset_writer("a.mp4", video=VideoInput(…))``.

        ``output`` is a new file, of the type that its extension states, or ``Segments``, such as an
        ``HLSFolder``. ``inputs`` are a ``VideoInput``, ``AudioInput``, ``TextInput`` or ``StoredInput`` each, which
        the writer has under the same names, as have ``groups`` of them of which a player chooses one, and
        ``associations`` such as ``("audioFallback", "surround", "stereo")``. A sample of the time ``session_start`` is presented at the
        start of the file. With a ``movie_fragment_interval`` the file has its name from the start, and
        its written part can be played after any end of the writing. An input that is ahead of another
        waits for that for ``timeout`` seconds.
        """
        folder = directory_for_temporary_files
        segments = output if isinstance(output, Segments) else None
        params = given(
            outputURL=None if isinstance(output, Segments) else absolute_path(output, "an output"),
            segments=None if segments is None else segments.to_wire(),
            outputFileType=output_file_type,
            inputs=inputs_to_wire(inputs),
            inputGroups=groups_to_wire(groups, list(inputs)),
            trackAssociations=associations_to_wire(associations, list(inputs)),
            metadata=metadata_to_wire(metadata),
            chapters=chapters_to_wire(chapters),
            shouldOptimizeForNetworkUse=should_optimize_for_network_use,
            movieTimeScale=movie_time_scale,
            movieFragmentInterval=time_to_wire(movie_fragment_interval),
            directoryForTemporaryFiles=None if folder is None else absolute_path(folder, "a folder"),
        )
        result = await self._request("assetWriter/create", params)
        writer = AsyncAssetWriter(self.transport, result, inputs, segments, timeout)
        return await started(writer, session_start)

    def _written_input(self, given: WriterInput) -> Any:
        return given.to_wire()

    async def library(
        self,
        *folders: str | os.PathLike[str],
        database: str | os.PathLike[str] | None = None,
        watch: bool | None = None,
        excluded: Iterable[str] = (),
        follows_symbolic_links: bool | None = None,
    ) -> AsyncLibrary:
        """Opens a library of media files: ``library("~/Videos", "~/Music")``; ``scan()`` finds them.

        ``folders`` become a part of it, and those that it has stay; ``excluded`` are folders below each, as
        paths from it. It is kept up to date while it is open, unless ``watch`` is false. ``database`` is a
        file, by default one for these folders in ``~/.local/share/reelwire``, or below ``XDG_DATA_HOME``;
        one that isn't there is made. With ``follows_symbolic_links`` what links lead to belongs to it, too, and
        what is reached twice is there once.
        """
        return await opened(
            self.transport, folders, database, watch, excluded, follows_symbolic_links
        )

    async def write_video(
        self,
        output: WriterOutput,
        frames: FramesLike,
        fps: RateLike = 30,
        **options: Unpack[Writing],
    ) -> WriterResult:
        """Writes pictures to a new video: ``write_video("out.mp4", frames, fps=30, progress=True)``.

        They are arrays of uint8 or uint16, (height, width) or (height, width, 3 or 4), images of Pillow's,
        paths of image files, sample buffers of readers … and come from a list, a generator, or an
        ``async for``. ``audio`` is an array that begins with them, of ``sample_rate``.
        """
        return await written_async(self, output, frames, fps, options)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Sends any request and returns its result in the wire's form."""
        return await self.transport.send_request(method, params)

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Sends any notification."""
        self.transport.notify(method, params)

    async def close(self) -> None:
        """Ends the engine; unfinished work is cancelled. Closing again does nothing."""
        if self._transport is not None:
            await self._transport.close()

    async def __aenter__(self) -> AsyncEngine:
        return await self.start()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        if self._transport is None or self._info is None:
            return f"<{type(self).__name__} not started>"
        ffmpeg = self._info["ffmpeg"]["version"]
        state = " closed" if self.closed else ""
        return f"<{type(self).__name__} {self.version} FFmpeg {ffmpeg} pid {self.pid}{state}>"


class Engine(BlockingEngineCalls, ClosableFace):
    """An engine: ``with Engine() as engine:``. It runs from here on until ``close()``.

    The program is ``binary``, or ``REELWIRE_BINARY``, or the one inside this package, or on the
    PATH, or in the build folder of a checkout. ``arguments`` follow ``reelwire serve``. ``allow_capture``
    lists the devices that it may capture: ``camera``, ``microphone`` and ``screen``, by default none. It may be
    used from any thread.
    """

    _core: AsyncEngine

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        arguments: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
        allow_capture: Iterable[CapturePermission] = (),
    ) -> None:
        self._core = AsyncEngine(
            binary, arguments=arguments, env=env, allow_capture=allow_capture
        )
        self._portal = Portal()
        try:
            self._portal.call(self._core.start)
        except BaseException:
            self._portal.stop()
            raise
        self._end = weakref.finalize(self, _end, self._portal, self._core)

    @property
    def info(self) -> protocol.InitializeResult:
        """The engine's report of itself: its version, its FFmpeg, its limits."""
        return self._core.info

    @property
    def version(self) -> str:
        """The engine's version."""
        return self._core.version

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self._core.pid

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to its stderr."""
        return self._core.stderr

    def compositor(self, function: Compositor) -> AbstractContextManager[None]:
        """Draws the client's instructions of video compositions with a function, until the block ends.

        These are the instructions with ``"compositor": "client"``. The function gets a
        ``CompositionFrame``, and draws into its ``target``, a NumPy array in shared memory, or returns an
        array of that shape. It runs on a separate thread, one frame after the other. An exception of it
        fails the work that needs the frame, with ``VideoCompositorFailedError``.
        """
        return self._core.compositor(function)

    open = making(AsyncEngine.open, Asset)
    composition = making(AsyncEngine.composition, Composition)
    assemble = making(AsyncEngine.assemble, Composition)
    expand_sequence = blocking(AsyncEngine.expand_sequence)
    import_composition = making(AsyncEngine.import_composition, Composition)
    join = blocking(AsyncEngine.join)
    asset_writer = making(AsyncEngine.asset_writer, AssetWriter)
    library = making(AsyncEngine.library, Library)
    player = making(AsyncEngine.player, Player)
    queue_player = making(AsyncEngine.queue_player, Player)
    player_item = making(AsyncEngine.player_item, PlayerItem)
    audio_player = making(AsyncEngine.audio_player, AudioPlayer)
    capture = making(AsyncEngine.capture, CaptureSession)
    audio_recorder = making(AsyncEngine.audio_recorder, AudioRecorder)

    def write_video(
        self,
        output: WriterOutput,
        frames: Iterable[Any],
        fps: RateLike = 30,
        **options: Unpack[Writing],
    ) -> WriterResult:
        """Writes pictures to a new video: ``write_video("out.mp4", frames, fps=30, progress=True)``.

        They are arrays of uint8 or uint16, (height, width) or (height, width, 3 or 4), images of Pillow's,
        paths of image files, sample buffers of readers … and come from a list or a generator, which runs
        here. ``audio`` is an array that begins with them, of ``sample_rate``.
        """
        return written(self, output, frames, fps, options)

    request = blocking(AsyncEngine.request)
    notify = blocking(AsyncEngine.notify)

    def close(self) -> None:
        """Ends the engine; unfinished work is cancelled. Closing again does nothing."""
        self._end()

    def __enter__(self) -> Engine:
        return self


def _end(portal: Portal, core: AsyncEngine) -> None:
    if portal.is_forked:
        return
    if portal.is_here:  # The garbage collector may run anywhere, and a thread cannot join itself.
        threading.Thread(target=_end, args=(portal, core)).start()
        return
    try:
        portal.call(core.close)
    finally:
        portal.stop()


def join(
    sources: Iterable[JoinLike],
    output: str | os.PathLike[str],
    preset: str | None = None,
    *,
    progress: ProgressLike = None,
    **options: Unpack[ExportOptions],
) -> JoinResult:
    """Joins files to a new one by an engine of its own, as ``Engine.join`` does."""
    with Engine() as engine:
        return engine.join(sources, output, preset, progress=progress, **options)


def write_video(
    output: WriterOutput,
    frames: Iterable[Any],
    fps: RateLike = 30,
    **options: Unpack[Writing],
) -> WriterResult:
    """Writes pictures to a new video by an engine of its own, as ``Engine.write_video`` does."""
    with Engine() as engine:
        return engine.write_video(output, frames, fps, **options)
