"""Objects and their bytes, against an engine that plays a script."""

import asyncio
import gc

import pytest
from conftest import nothing_left, run

import reelwire
from reelwire import MediaTime


def _started(number, *actions):
    return [{"result": {"operation": f"operation:{number}"}}, *actions]


def _image(number, index, text, actual=None):
    time = {"value": index, "timescale": 1}
    params = {
        "operation": f"operation:{number}",
        "imageGenerator": "imageGenerator:2",
        "index": index,
        "requestedTime": time,
        "result": "succeeded",
        "actualTime": actual or time,
        "image": {"width": 4, "height": 1, "format": "gray", "blob": {"$shm": text}},
    }
    return {"notify": ["imageGenerator/didGenerateImage", params]}


def _images_end(number):
    params = {"operation": f"operation:{number}", "succeeded": 1, "failed": 0, "cancelled": 0}
    return {"notify": ["imageGenerator/didFinish", params]}


def _failed(number, index):
    params = {
        "operation": f"operation:{number}",
        "index": index,
        "requestedTime": {"value": index, "timescale": 1},
        "result": "failed",
        "error": {"code": -11832, "message": "no image", "data": {"name": "noImageAtTime"}},
    }
    return {"notify": ["imageGenerator/didGenerateImage", params]}


GENERATE = "imageGenerator/generateImages"


def test_images_come_as_they_are_ready_and_go_by_themselves(fake):
    script = {
        GENERATE: [
            _started(5, _image(5, 2, "cccc"), _failed(5, 1), _image(5, 0, "aaaa"), _images_end(5))
        ]
    }
    played = fake(script)
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").image_generator(tolerance=0) as generator:
            seen = []
            for image in generator.images([0, "1.0", 2.0], format="gray", delivery="shm"):
                seen.append((image.index, image.error is None))
                if image.error:
                    with pytest.raises(reelwire.NoImageAtTimeError):
                        _ = image.data
                else:
                    assert bytes(image) == (b"aaaa", b"", b"cccc")[image.index]
                    assert image.data.readonly
            del image
            assert seen == [(2, True), (1, False), (0, True)]
            nothing_left(engine)
    created = played.messages("imageGenerator/create")[0]["params"]
    assert created["requestedTimeToleranceBefore"] == {"value": 0, "timescale": 1}
    assert created["requestedTimeToleranceAfter"] == {"value": 0, "timescale": 1}
    times = played.messages(GENERATE)[0]["params"]["times"]
    assert [time["value"] for time in times] == [0, 1, 2]


def test_leases_go_back_in_batches(fake):
    count = 40
    images = [_image(5, index, "text") for index in range(count)]
    played = fake({GENERATE: [_started(5, *images, _images_end(5))]})
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").image_generator() as generator:
            kept = list(generator.images(range(count), delivery="shm"))
            assert engine.stats()["leases"] == count
            del kept
            nothing_left(engine)
    assert len(played.messages("blob/release")) < count


def test_a_view_keeps_its_bytes(fake):
    """As long as they are referenced: after release(), and after the generator's end."""
    script = {
        GENERATE: [
            _started(5, _image(5, 0, "first"), _images_end(5)),
            _started(6, _image(6, 0, "other"), _images_end(6)),
        ]
    }
    with reelwire.Engine(**fake(script).options) as engine:
        asset = engine.open("a.mp4")
        generator = asset.image_generator()
        (image,) = generator.images([0], delivery="shm")
        view = image.data[1:4]
        image.release()
        with pytest.raises(ValueError, match="released"):
            _ = image.data
        assert engine.stats()["leases"] == 1
        generator.close()
        engine.notify("blob/release", {"leases": ["lease:1"]})  # As the real one does at a close.
        (second,) = asset.image_generator().images([0], delivery="shm")
        assert (bytes(second), bytes(view)) == (b"other", b"irs")
        del second, view
        nothing_left(engine)


def test_leaving_the_loop_cancels_the_rest(fake):
    played = fake(
        {
            GENERATE: [_started(5, _image(5, 0, "aaaa"), _image(5, 1, "bbbb"))],
            "handle/close": [
                [{"result": {}}, _image(5, 2, "cc"), _images_end(5)],
                [{"result": {}}],
            ],
        }
    )
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").image_generator() as generator:
            for image in generator.images(range(100), delivery="shm"):
                assert bytes(image) == b"aaaa"
                break
            del image
            nothing_left(engine)
    assert played.messages("handle/close")[0]["params"] == {"handle": "operation:5"}


def test_no_times_are_no_request(fake):
    played = fake({})
    with reelwire.Engine(**played.options) as engine:
        assert list(engine.open("a.mp4").image_generator().images([])) == []
    assert not played.messages(GENERATE)


EXPORT = "exportSession/export"


def _progress(number, progress):
    params = {"operation": f"operation:{number}", "progress": progress}
    return {"notify": ["exportSession/didProgress", params]}


def _export_end(number, status, **members):
    params = {"operation": f"operation:{number}", "status": status, **members}
    return {"notify": ["exportSession/didFinish", params]}


def test_an_export_with_progress(fake, tmp_path):
    end = _export_end(
        7, "completed", outputURL="/out.mp4", fileSize=12, timeRange={"start": 1, "duration": 2}
    )
    played = fake({EXPORT: [_started(7, _progress(7, 0.25), _progress(7, 1), end)]})
    with reelwire.Engine(**played.options) as engine:
        seen = []
        result = engine.open("a.mp4").export(
            tmp_path / "out.mp4",
            "MediumQuality",
            time_range=reelwire.TimeRange(1, "2.0"),
            progress=seen.append,
            trim_mode="syncSample",
        )
        assert seen == [0.25, 1]
        assert (result.path, result.file_size) == ("/out.mp4", 12)
        assert result.time_range == reelwire.TimeRange(1, 2)
        assert result.dropped == []
    created = played.messages("exportSession/create")[0]["params"]
    assert created["trimMode"] == "syncSample"
    assert created["timeRange"]["duration"] == {"value": 2, "timescale": 1}
    assert created["outputURL"] == str(tmp_path / "out.mp4")


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (
            _export_end(7, "failed", error={"code": -11823, "message": "exists"}),
            reelwire.FileAlreadyExistsError,
        ),
        (_export_end(7, "cancelled"), reelwire.OperationCancelledError),
    ],
)
def test_an_export_that_ends_badly_raises(fake, end, error):
    with reelwire.Engine(**fake({EXPORT: [_started(7, end)]}).options) as engine:
        with pytest.raises(error):
            engine.open("a.mp4").export("/out.mp4")


def test_cancelling_the_task_cancels_the_export_and_waits_for_its_end(fake):
    played = fake(
        {
            EXPORT: [_started(7, _progress(7, 0.1))],
            "handle/close": [[{"result": {}}, _export_end(7, "cancelled")], [{"result": {}}]],
        }
    )

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            asset = await engine.open("a.mp4")
            begun = asyncio.Event()
            task = asyncio.ensure_future(asset.export("/out.mp4", progress=lambda _: begun.set()))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not engine.transport._operations

    run(job())
    assert played.messages("handle/close")[0]["params"] == {"handle": "operation:7"}


def test_a_callback_that_raises_cancels_the_export(fake):
    played = fake(
        {
            EXPORT: [_started(7, _progress(7, 0.1))],
            "handle/close": [[{"result": {}}, _export_end(7, "cancelled")], [{"result": {}}]],
        }
    )
    with reelwire.Engine(**played.options) as engine:

        def stop(progress):
            # It runs on this thread, so that it may use the engine and stop the program.
            engine.stats()
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            engine.open("a.mp4").export("/out.mp4", progress=stop)
    assert played.messages("handle/close")[0]["params"] == {"handle": "operation:7"}


def test_keys_are_loaded_once_and_fail_for_themselves(fake):
    values = {
        "duration": {"status": "loaded", "value": {"value": 5, "timescale": 2}},
        "tracks": {
            "status": "loaded",
            "value": [
                {
                    "trackID": 1,
                    "mediaType": "video",
                    "mediaSubType": "avc1",
                    "mediaCharacteristics": ["visual"],
                    "isEnabled": True,
                    "isDecodable": True,
                    "naturalSize": {"width": 1920, "height": 1080},
                }
            ],
        },
        "naturalSize": {"status": "loaded", "value": {"width": 1920, "height": 1080}},
        "metadata": {"status": "failed", "error": {"code": -11829, "message": "broken"}},
    }
    result = {"operation": "operation:1", "asset": "asset:1", "values": values}
    played = fake(
        {
            "asset/loadValues": [[{"result": result}]],
            "track/loadValues": [
                [{"result": {"values": {"nominalFrameRate": {"status": "loaded", "value": 25.0}}}}]
            ],
        }
    )
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        assert repr(asset) == "<Asset 'a.mp4'>"
        loaded = asset.load("duration", "natural_size", "tracks")
        assert loaded["duration"] == asset.duration == MediaTime(5, 2)
        assert asset.natural_size == loaded["natural_size"] == (1920, 1080)
        assert repr(asset) == "<Asset 'a.mp4' 2.5 s 1920×1080 h264>"
        assert repr(asset.tracks[0]) == "<Track #1 video avc1 1920×1080>"
        assert isinstance(loaded["tracks"][0], reelwire.Track)
        assert len(played.messages("asset/loadValues")) == 1
        with pytest.raises(reelwire.FileFailedToParseError, match="broken"):
            asset.load("metadata")
        asset.tracks[0].load("nominal_frame_rate")
        assert asset.tracks[0]["nominalFrameRate"] == 25
        with pytest.raises(reelwire.ValueNotLoadedError, match="duration"):
            _ = asset.tracks[0]["duration"]
    assert played.messages("asset/loadValues")[0]["params"]["completion"] == "response"


def test_an_async_asset_says_what_is_not_loaded(fake):
    async def job():
        async with reelwire.AsyncEngine(**fake({}).options) as engine:
            asset = await engine.open("a.mp4")
            with pytest.raises(reelwire.ValueNotLoadedError, match=r'load\("duration"\)'):
                _ = asset.duration

    run(job())


def _sample(index, text):
    return {
        "presentationTime": {"value": index, "timescale": 25},
        "duration": {"value": 1, "timescale": 25},
        "numSamples": 1,
        "attachments": {} if index == 0 else {"notSync": True},
        "blob": {"$shm": text},
        **({"format": {"codec": "h264"}} if index == 0 else {}),
    }


NEXT = "assetReader/nextSampleBuffers"


def test_a_reader_starts_by_itself_and_gives_back_what_was_read(fake):
    played = fake(
        {
            NEXT: [
                [
                    {
                        "result": {
                            "sampleBuffers": [_sample(0, "zero"), _sample(1, "one")],
                            "endOfStream": False,
                        }
                    }
                ],
                [{"result": {"sampleBuffers": [_sample(2, "two")], "endOfStream": True}}],
            ]
        }
    )
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").reader("video") as reader:
            (output,) = reader.outputs
            seen = []
            for sample in output.samples(batch=2, delivery="shm"):
                seen.append((bytes(sample), sample.is_sync, sample.format["codec"]))
                assert engine.stats()["leases"] <= 3
            del sample
            assert seen == [
                (b"zero", True, "h264"),
                (b"one", False, "h264"),
                (b"two", False, "h264"),
            ]
            assert output.ended
            assert list(output) == []
            nothing_left(engine)
    assert len(played.messages("assetReader/start")) == 1
    assert len(played.messages(NEXT)) == 2
    created = played.messages("assetReader/create")[0]["params"]
    assert created["outputs"] == [{"type": "track", "mediaType": "video"}]


def test_outputs_on_the_wire():
    assert reelwire.TrackOutput(2).to_wire() == {"type": "track", "trackID": 2}
    mix = reelwire.AudioMixOutput(2, 3, channels=1)
    settings = {"sampleFormat": "f32", "channels": 1}
    assert mix.to_wire() == {"type": "audioMix", "trackIDs": [2, 3], "settings": settings}
    assert "trackIDs" not in reelwire.AudioMixOutput().to_wire()
    output = reelwire.TrackOutput("audio", sample_format="flt", sample_rate=48000)
    assert output.to_wire() == {
        "type": "track",
        "mediaType": "audio",
        "settings": {"sampleFormat": "flt", "sampleRate": 48000},
    }


def test_forgotten_objects_are_closed(fake):
    played = fake({})
    with reelwire.Engine(**played.options) as engine:
        engine.open("a.mp4").image_generator()
        gc.collect()
        engine.stats()
        closed = {message["params"]["handle"] for message in played.messages("handle/close")}
        assert closed == {"asset:1", "imageGenerator:2"}


def test_closed_objects_say_so(fake):
    played = fake({})
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4") as asset:
            pass
        asset.close()
        assert asset.closed
        with pytest.raises(reelwire.HandleClosedError, match="asset:1 is closed"):
            asset.load("duration")
    assert len(played.messages("handle/close")) == 1
    with pytest.raises(reelwire.EngineClosedError):
        engine.stats()


def test_an_object_outlives_the_name_of_its_engine(fake):
    asset = reelwire.Engine(**fake({}).options).open("a.mp4")
    gc.collect()
    asset.cancel_loading()
    asset.close()


def test_a_raw_image_without_its_padding(fake):
    wire = {
        "requestedTime": 0,
        "actualTime": 0,
        "image": {
            "width": 3,
            "height": 2,
            "format": "yuv420p",
            "blob": {"$shm": "abc-def-gh--ij--"},
            "planes": [
                {"offset": 0, "bytesPerRow": 4, "height": 2},
                {"offset": 8, "bytesPerRow": 4, "height": 1},
                {"offset": 12, "bytesPerRow": 4, "height": 1},
            ],
        },
    }
    played = fake({"imageGenerator/generateImage": [[{"result": wire}]]})
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").image_generator() as generator:
            image = generator.image(0, format="yuv420p", delivery="shm")
            assert image.packed() == b"abcdefghij"
            assert [plane.height for plane in image.planes] == [2, 1, 1]


def test_work_that_starts_too_late_is_stopped(fake):
    """The answer won the race against the cancellation: no caller waits for the export."""
    played = fake(
        {
            EXPORT: [[{"hold": 1}]],
            "$/cancelRequest": [[{"answer_held": {"operation": "operation:7"}}]],
        }
    )

    async def job():
        async with reelwire.AsyncEngine(**played.options) as engine:
            session = await (await engine.open("a.mp4")).export_session("/out.mp4")
            task = asyncio.ensure_future(session.export())
            await engine.request("tick")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await engine.request("tick")
            await engine.request("tick")

    run(job())
    closed = [message["params"]["handle"] for message in played.messages("handle/close")]
    assert "operation:7" in closed


def test_both_faces_have_the_same_members():
    for name in reelwire.__all__:
        if name.startswith("Async"):
            core, face = getattr(reelwire, name), getattr(reelwire, name[len("Async") :])
            public = {member for member in dir(core) if not member.startswith("_")}
            inner = {"transport", "reader", "values_of_track"}
            if core is reelwire.AsyncEngine:
                inner.add("start")
            missing = public - set(dir(face)) - inner
            assert not missing, f"{face.__name__} lacks {missing}"
