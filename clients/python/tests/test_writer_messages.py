"""The messages of a writer, to an engine that plays a script: times, leases, order, and released memory."""

import base64

import pytest

import reelwire
from reelwire import AudioInput, MediaTime, StoredInput, TextInput, VideoInput

np = pytest.importorskip("numpy")

LAYOUT = {
    "pixelFormat": "rgb24",
    "width": 4,
    "height": 2,
    "planes": [{"offset": 0, "bytesPerRow": 16, "height": 2}],
}
ROOM = {"blobs": [{"$shm": " " * 32}, {"$shm": " " * 32}], "image": LAYOUT}
APPENDED = {"result": {"appended": 1, "isReadyForMoreMediaData": True}}
FINISHED = {
    "operation": "operation:1",
    "assetWriter": "assetWriter:5",
    "status": "completed",
    "outputURL": "/films/a.mp4",
    "fileSize": 1000,
    "duration": {"value": 3, "timescale": 2},
}
PICTURE = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)


def script(*inputs, **more):
    end = [{"result": {"operation": "operation:1"}}, {"notify": ["assetWriter/didFinish", FINISHED]}]
    created = {"assetWriter": "assetWriter:5", "inputs": list(inputs), "outputFileType": "mp4"}
    return {
        "assetWriter/create": [[{"result": created}]],
        "assetWriter/allocate": [[{"result": ROOM}]],
        "assetWriter/append": [[APPENDED]],
        "assetWriter/finish": [end],
        **more,
    }


def appended(played):
    found = []
    for message in played.messages("assetWriter/append"):
        (sample,) = message["params"]["sampleBuffers"]
        found.append((message["params"]["input"], sample))
    return found


def test_pictures_under_their_leases(fake):
    played = fake(script("input:5/1"))
    with reelwire.Engine(**played.options) as engine:
        video = VideoInput((4, 2), frame_rate=29.97, settings={"codec": "hevc"}, language="de")
        with engine.asset_writer("a.mp4", video=video, metadata={"title": "A"}) as writer:
            writer.video.append(PICTURE)
            writer.video.append(PICTURE, MediaTime(1, 7), duration="1/3")
            writer.video.append("still.png")
        assert writer.result.duration == MediaTime(3, 2)
        # Of two blobs each picture had one.
        assert engine.stats()["leases"] == 2
    (created,) = played.messages("assetWriter/create")
    assert created["params"]["inputs"] == [
        {
            "mediaType": "video",
            "outputSettings": {"codec": "hevc"},
            "sourcePixelBufferAttributes": {"pixelFormat": "rgb24", "width": 4, "height": 2},
            "extendedLanguageTag": "de",
        }
    ]
    assert created["params"]["metadata"] == [{"commonKey": "title", "value": "A"}]
    first, second, third = (sample for _, sample in appended(played))
    assert first == {
        "presentationTime": {"value": 0, "timescale": 1},
        "duration": {"value": 1001, "timescale": 30000},
        "blob": {"kind": "shm", "lease": "lease:1"},
    }
    assert second["presentationTime"] == {"value": 1, "timescale": 7}
    assert second["duration"] == {"value": 1, "timescale": 3}
    assert second["blob"]["lease"] == "lease:2"
    assert third["presentationTime"] == {"value": 1001, "timescale": 15000}
    assert third["imageURL"].endswith("/still.png")
    order = [message["method"] for message in played.messages() if "ssetWriter/" in message["method"]]
    assert order[:3] == ["assetWriter/create", "assetWriter/start", "assetWriter/startSession"]
    assert order[-2:] == ["assetWriter/markAsFinished", "assetWriter/finish"]


def test_room_that_was_not_used_is_given_back(fake):
    played = fake(script("input:5/1"))
    with reelwire.Engine(**played.options) as engine:
        with engine.asset_writer("a.mp4", video=VideoInput((4, 2), frame_rate=1)) as writer:
            writer.video.append(PICTURE)
            with pytest.raises(ValueError, match="rgb24 of 4×2"):
                writer.video.append(PICTURE[:, :2])
        engine.stats()
    released = [lease for each in played.messages("blob/release") for lease in each["params"]["leases"]]
    assert released == ["lease:2"]
    assert len(appended(played)) == 1


def test_audio_goes_on_where_it_was(fake):
    played = fake(script("input:5/1"))
    block = np.array([[1, -1], [2, -2], [3, -3]], np.int16)
    with reelwire.Engine(**played.options) as engine:
        with engine.asset_writer("a.mp4", sound=AudioInput(1000, channels=2)) as writer:
            writer.sound.append(block)
            writer.sound.append(block.T)
            writer.sound.append(np.zeros((0, 2), np.int16))
            writer.sound.append(block, 5)
            writer.sound.append(block)
    times = [(each["presentationTime"], each["duration"]) for _, each in appended(played)]
    lasts = {"value": 3, "timescale": 1000}
    assert [MediaTime.of(time) for time, _ in times] == [
        MediaTime(number, 1000) for number in (0, 3, 5000, 5003)
    ]
    assert [duration for _, duration in times] == [lasts] * 4
    for _, sample in appended(played):
        assert base64.b64decode(sample["blob"]["data"]) == block.tobytes()
        assert sample["audio"] == {"sampleFormat": "s16", "sampleRate": 1000, "channels": 2}


def test_long_audio_is_under_leases(fake, monkeypatch):
    monkeypatch.setattr("reelwire.writer_samples._ALLOCATED", 0)
    room = {"blobs": [{"$shm": " " * 32768}]}
    played = fake(script("input:5/1", **{"assetWriter/allocate": [[{"result": room}]]}))
    wave = np.arange(40000, dtype=np.int16)
    with reelwire.Engine(**played.options) as engine:
        with engine.asset_writer("a.mp4", sound=AudioInput(48000, channels=1)) as writer:
            writer.sound.append(wave)
    kinds = [sample["blob"]["kind"] for _, sample in appended(played)]
    assert kinds == ["shm", "shm", "inline"]
    # All of a block is its sample's, and more of them are made where another one is as long.
    assert [message["params"] for message in played.messages("assetWriter/allocate")] == [
        {"input": "input:5/1", "count": 1, "byteCount": 32768},
        {"input": "input:5/1", "count": 4, "byteCount": 32768},
    ]


def test_samples_are_handed_on(fake):
    sample = {
        "presentationTime": {"value": 2, "timescale": 10},
        "decodeTime": {"value": 1, "timescale": 10},
        "duration": {"value": 1, "timescale": 10},
        "numSamples": 1,
        "attachments": {"notSync": True, "isDependedOnByOthers": False, "extra": 1},
    }
    buffers = [{**sample, "blob": {"$shm": "one"}}, {**sample, "blob": {"$shm": "two"}}]
    made = {
        "assetReader/nextSampleBuffers": [
            [{"result": {"sampleBuffers": buffers, "endOfStream": True}}]
        ]
    }
    played = fake(script("input:5/1", **made))
    with reelwire.Engine(**played.options) as engine, engine.open("a.mp4") as asset:
        with asset.reader("video") as reader:
            video = StoredInput(reader.outputs[0])
            with engine.asset_writer("b.mp4", video=video) as writer:
                first, second = reader.outputs[0].next(2)
                view = first.to_ndarray()
                writer.video.append(first)
                assert bytes(view) == b"one"
                with pytest.raises(reelwire.HandleClosedError):
                    bytes(first)
                writer.video.append(second, 5)
    (created,) = played.messages("assetWriter/create")
    (given,) = created["params"]["inputs"]
    assert given == {"mediaType": "video", "sourceFormatHint": {"fromOutput": "output:4/1"}}
    (_, one), (_, two) = appended(played)
    assert one == {
        "presentationTime": sample["presentationTime"],
        "decodeTime": sample["decodeTime"],
        "duration": sample["duration"],
        "attachments": {"notSync": True, "isDependedOnByOthers": False},
        "blob": {"kind": "shm", "lease": "lease:1"},
    }
    assert MediaTime.of(two["presentationTime"]) == 5
    assert MediaTime.of(two["decodeTime"]) == MediaTime(49, 10)
    # The leases are the writer's now.
    assert played.messages("blob/release") == []


def test_an_error_is_raised_where_it_is_noticed(fake):
    error = {"code": -11862, "message": "the encoder has failed", "data": {"name": "operationNotAllowed"}}
    played = fake(script("input:5/1", **{"assetWriter/append": [[APPENDED], [{"error": error}]]}))
    with reelwire.Engine(**played.options) as engine:
        with pytest.raises(reelwire.OperationNotAllowedError, match="encoder has failed"):
            with engine.asset_writer("a.mp4", video=VideoInput((4, 2), frame_rate=1)) as writer:
                writer.video.append(PICTURE)
                writer.video.append(PICTURE)
                writer.video.finish()
        engine.stats()
    assert played.messages("assetWriter/finish") == []
    released = [lease for each in played.messages("blob/release") for lease in each["params"]["leases"]]
    assert released == ["lease:2"]


def test_waiting_has_an_end(fake):
    status = {
        "status": "writing",
        "inputs": [
            {
                **{"input": "input:5/1", "appended": 2, "isReadyForMoreMediaData": False},
                "waitsFor": "input:5/2",
            },
            {"input": "input:5/2", "appended": 0, "isReadyForMoreMediaData": True},
        ],
    }
    more = {"assetWriter/append": [[{"hold": 1}]], "assetWriter/status": [[{"result": status}]]}
    more["handle/close"] = [[{"answer_held": APPENDED["result"]}, {"result": {}}]]
    played = fake(script("input:5/1", "input:5/2", **more))
    with reelwire.Engine(**played.options) as engine:
        inputs = {"video": VideoInput((4, 2), frame_rate=1), "subtitles": TextInput()}
        with pytest.raises(TimeoutError, match="'video' is ahead of 'subtitles'"):
            with engine.asset_writer("a.mp4", timeout=0.05, **inputs) as writer:
                for _ in range(100):
                    writer.video.append("still.png")
    # This number was on its way.
    assert len(appended(played)) == 64


def test_text(fake):
    played = fake(script("input:5/1"))
    with reelwire.Engine(**played.options) as engine:
        with engine.asset_writer("a.mp4", subtitles=TextInput(codec="mov_text")) as writer:
            writer.subtitles.append("Hello", 1, duration=2)
            with pytest.raises(TypeError, match="a time and a duration"):
                writer.subtitles.append("Hello")
    ((_, sample),) = appended(played)
    assert sample == {
        "presentationTime": {"value": 1, "timescale": 1},
        "duration": {"value": 2, "timescale": 1},
        "text": "Hello",
    }
    (created,) = played.messages("assetWriter/create")
    (given,) = created["params"]["inputs"]
    assert given == {"mediaType": "subtitle", "outputSettings": {"codec": "mov_text"}}


def segment(kind, text, duration=None, index=None):
    report = {
        "trackID": 1,
        "mediaType": "video",
        "earliestPresentationTime": {"value": 0, "timescale": 1},
        "duration": {"value": duration, "timescale": 2},
    }
    params = {"assetWriter": "assetWriter:5", "segmentType": kind, "blob": {"$shm": text}}
    if index is not None:
        params |= {"index": index, "report": {"trackReports": [report]}}
    return {"notify": ["assetWriter/didOutputSegment", params]}


SEGMENTS = [segment("initialization", "init"), segment("separable", "first", 5, 0)]
SEGMENTS.append(segment("separable", "second", 3, 1))


def segmented(**more):
    end = [{"result": {"operation": "operation:1"}}, *SEGMENTS]
    finish = [*end, {"notify": ["assetWriter/didFinish", {**FINISHED, "outputURL": None}]}]
    return script("input:5/1", **{"assetWriter/finish": [finish], **more})


def test_segments_and_their_playlist(fake, tmp_path):
    played = fake(segmented())
    folder = tmp_path / "stream"
    stream = reelwire.HLSFolder(folder, interval=2, name="low")
    with reelwire.Engine(**played.options) as engine:
        with engine.asset_writer(stream, video=VideoInput((4, 2), frame_rate=1)) as writer:
            writer.video.append(PICTURE)
    (created,) = played.messages("assetWriter/create")
    assert "outputURL" not in created["params"]
    assert created["params"]["segments"] == {
        "preferredOutputSegmentInterval": {"value": 2, "timescale": 1},
        "delivery": "shm",
    }
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written.pop("low.m3u8").splitlines() == [
        *("#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:0"),
        *("#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS"),
        '#EXT-X-MAP:URI="low-init.mp4"',
        *("#EXTINF:2.500000,", "low-0.m4s", "#EXTINF:1.500000,", "low-1.m4s", "#EXT-X-ENDLIST"),
    ]
    assert written == {"low-init.mp4": "init", "low-0.m4s": "first", "low-1.m4s": "second"}
    released = [lease for each in played.messages("blob/release") for lease in each["params"]["leases"]]
    assert len(released) == 4  # Three segments, and room that wasn't used.
    with pytest.raises(FileExistsError):
        reelwire.HLSFolder(folder, name="low")


def test_what_a_taker_raises_is_the_error(fake):
    taken = []

    def take(segment):
        taken.append((segment.is_initialization, segment.index, segment.data))
        if segment.index == 0:
            raise OSError("the network is down")

    played = fake(segmented())
    with reelwire.Engine(**played.options) as engine, pytest.raises(OSError, match="network"):
        segments = reelwire.Segments(take, "indefinite")
        with engine.asset_writer(segments, video=VideoInput((4, 2), frame_rate=1)) as writer:
            writer.flush_segment()
    assert taken == [(True, None, b"init"), (False, 0, b"first")]
    assert len(played.messages("assetWriter/flushSegment")) == 1


def test_a_playlist_grows_by_its_segments(tmp_path, monkeypatch):
    from reelwire import playlists

    path, wholes = tmp_path / "index.m3u8", []
    save = playlists._save

    def counted(text, to):
        wholes.append(len(text))
        save(text, to)

    monkeypatch.setattr(playlists, "_save", counted)
    playlist = playlists.MediaPlaylist()
    for number in range(500):
        # One exceeds the target duration of the head.
        playlist.append(f"{number}.m4s", 3 if number == 400 else 2, 1000)
        playlist.save_last(path)
        if number in (0, 1, 399, 400, 499):
            assert path.read_text() == str(playlist)
    assert len(wholes) == 2
    path.unlink()
    playlist.append("500.m4s", 2, 1000)
    playlist.save_last(path)
    assert path.read_text() == str(playlist)
