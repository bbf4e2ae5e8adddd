"""Samples and images as NumPy arrays, against the real engine and without it."""

import gc
import hashlib
import json
import subprocess
import sys

import pytest
from conftest import all_leased, nothing_left, packed, run
from waiting import HANG

import reelwire
from reelwire import TrackOutput
from reelwire.arrays import audio_layout, picture_forms, plane_layout

numpy = pytest.importorskip("numpy")

NEXT = "assetReader/nextSampleBuffers"


def read(engine, clip, count=3, **settings):
    """The first buffers of an output with these settings; the reader stays open with them."""
    kind = "audio" if "sample_format" in settings else "video"
    reader = engine.open(clip).reader(TrackOutput(kind, **settings))
    return reader.outputs[0].next(count)


def ffmpeg(clip, *arguments):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), *arguments, "-"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize(
    ("name", "components", "kind"),
    [
        ("rgb24", 3, "|u1"),
        ("bgr24", 3, "|u1"),
        ("rgba", 4, "|u1"),
        ("bgra", 4, "|u1"),
        ("gray", 1, "|u1"),
        ("gray16le", 1, "<u2"),
        ("rgb48le", 3, "<u2"),
        ("rgba64le", 4, "<u2"),
    ],
)
def test_pictures_of_one_plane_are_arrays(engine, clip, name, components, kind):
    for number, sample in enumerate(read(engine, clip, pixel_format=name)):
        array = numpy.asarray(sample)
        assert array.shape == ((180, 322) if components == 1 else (180, 322, components))
        assert array.dtype == numpy.dtype(kind)
        assert not array.flags.writeable
        # It lies where the bytes lie.
        whole = numpy.frombuffer(sample.data, "u1")
        assert numpy.shares_memory(array, whole)
        step = sample.planes[0].bytes_per_row
        rows = [whole[step * row :][: 322 * components * array.itemsize] for row in range(180)]
        assert array.tobytes() == b"".join(row.tobytes() for row in rows)
        assert numpy.array_equal(array, sample.to_ndarray())
        assert numpy.array_equal(array, numpy.asarray(sample.planes[0]))
        assert number or array.any()
    del sample, array, whole, rows


def test_every_picture_format_of_the_engine_has_arrays(engine, clip):
    with pytest.raises(reelwire.ReelwireError) as refusal:
        read(engine, clip, pixel_format="none")
    names = refusal.value.hint.partition(": ")[2].rstrip(".").split(", ")
    assert len(names) > 10
    for name in names:
        (sample,) = read(engine, clip, 1, pixel_format=name)
        arrays = [plane.to_ndarray() for plane in sample.planes]
        assert arrays[0].shape[:2] == (180, 322), name
        assert len(arrays) == len(picture_forms(name)), name
        for plane, array in zip(sample.planes, arrays):
            last = (plane.height - 1) * plane.bytes_per_row + array[0].nbytes
            assert last <= len(plane.data), name
    del sample, arrays, array, plane


def test_planes_of_a_picture(engine, clip, frames):
    samples = read(engine, clip, pixel_format="yuv420p")
    assert len(samples) == 3
    for number, sample in enumerate(samples):
        arrays = [numpy.asarray(plane) for plane in sample.planes]
        assert [array.shape for array in arrays] == [(180, 322), (90, 161), (90, 161)]
        assert b"".join(array.tobytes() for array in arrays) == frames[number] == packed(sample)
        with pytest.raises(TypeError, match="yuv420p"):
            numpy.asarray(sample)
        with pytest.raises(TypeError, match="planes"):
            sample.to_ndarray()
    (sample,) = read(engine, clip, 1, pixel_format="nv12")
    assert [plane.to_ndarray().shape for plane in sample.planes] == [(180, 322), (90, 161, 2)]
    (sample,) = read(engine, clip, 1, pixel_format="p010le")
    assert [plane.to_ndarray().dtype for plane in sample.planes] == [numpy.uint16] * 2
    del sample, arrays


def test_sound_is_an_array(engine, clip):
    pcm = ffmpeg(clip, "-map", "0:a", "-f", "f32le")
    expected = numpy.frombuffer(pcm, "<f4").reshape(-1, 1)
    parts = [numpy.array(s) for s in read(engine, clip, 20, sample_format="f32", channels=1)]
    found = numpy.concatenate(parts)
    assert found.shape[1] == 1
    assert numpy.allclose(found, expected[: len(found)], atol=1e-4)
    settings = {"sample_format": "s16", "channels": 2}
    woven = read(engine, clip, **settings)
    apart = read(engine, clip, interleaved=False, **settings)
    assert 0 < len(woven) == len(apart)
    for one, other in zip(woven, apart):
        frames = one.audio["frames"]
        assert one.to_ndarray().shape == (frames, 2)
        assert other.to_ndarray().shape == (2, frames)
        assert one.to_ndarray().dtype == numpy.int16
        assert numpy.array_equal(one.to_ndarray(), other.to_ndarray().T)
        assert [plane.to_ndarray().shape for plane in other.planes] == [(frames,)] * 2
        assert one.planes[0].to_ndarray().shape == (frames, 2)
        assert numpy.array_equal(other.planes[1].to_ndarray(), numpy.asarray(other)[1])
    del one, other


def test_stored_samples_and_encoded_images_are_bytes(engine, clip):
    (sample,) = read(engine, clip, 1)
    assert numpy.asarray(sample).tobytes() == bytes(sample)
    image = engine.open(clip).image(1)
    assert numpy.asarray(image).tobytes() == bytes(image)
    del sample


def test_images_are_arrays(engine, clip):
    asset = engine.open(clip)
    with asset.image_generator(tolerance=0) as generator:
        image = generator.image(1, format="rgb24", delivery="shm")
        assert image.to_ndarray().shape == (180, 322, 3)
        assert numpy.asarray(image).tobytes() == image.packed()
        planes = generator.image(1, format="yuv420p", delivery="shm")
        assert b"".join(numpy.asarray(p).tobytes() for p in planes.planes) == planes.packed()
        with pytest.raises(TypeError, match="yuv420p"):
            planes.to_ndarray()
        gray = generator.image(1, format="gray")
        assert numpy.asarray(gray).shape == (180, 322)
    # The array has outlived its generator.
    assert numpy.asarray(image).any()
    del image, planes


def test_the_array_interface_needs_no_numpy(engine, clip):
    (sample,) = read(engine, clip, 1, pixel_format="rgb24")
    told = sample.__array_interface__
    assert (told["version"], told["shape"], told["typestr"]) == (3, (180, 322, 3), "|u1")
    assert told["data"].readonly
    (planes,) = read(engine, clip, 1, pixel_format="yuv420p")
    assert not hasattr(planes, "__array_interface__")
    script = "import sys, reelwire; sys.exit('numpy' in sys.modules)"
    source = reelwire.__path__[0] + "/.."
    subprocess.run([sys.executable, "-c", script], env={"PYTHONPATH": source}, check=True)
    del sample, planes, told


def test_a_lease_lives_as_long_as_an_array(engine, clip):
    with engine.open(clip) as asset:
        reader = asset.reader(TrackOutput("video", pixel_format="rgb24"))
        (sample,) = reader.outputs[0].next()
        part = numpy.asarray(sample)[10:20, ::2, 1]
        sample.release()
        del sample
        gc.collect()
        assert engine.stats()["leases"] == 1
        before = hashlib.md5(part.tobytes()).hexdigest()
        for other in reader.outputs[0]:
            assert not numpy.shares_memory(part, numpy.asarray(other))
        assert hashlib.md5(part.tobytes()).hexdigest() == before
        del other
        assert engine.stats()["leases"] == 1
        # There is no reference to the reader, and the array still holds its lease.
        del reader
        gc.collect()
        assert engine.stats()["leases"] == 1
        del part
        gc.collect()
        assert engine.stats()["leases"] == 0


def test_arrays_outlive_the_reader(engine, clip):
    with engine.open(clip) as asset:
        with asset.reader(TrackOutput("video", pixel_format="gray")) as reader:
            arrays = [numpy.asarray(sample) for sample in reader.outputs[0]]
            before = [hashlib.md5(array).hexdigest() for array in arrays]
        assert engine.stats()["leases"] == 0
        with asset.reader(TrackOutput("video", pixel_format="gray")) as reader:
            list(reader.outputs[0])
        assert [hashlib.md5(array).hexdigest() for array in arrays] == before
        assert len(set(before)) > 100


def test_leaving_a_loop_leaves_nothing(engine, clip, frames):
    with engine.open(clip) as asset:
        with asset.reader(TrackOutput("video", pixel_format="yuv420p")) as reader:
            output = reader.outputs[0]
            for number, sample in enumerate(output.samples(batch=4)):
                assert packed(sample) == frames[number]
                if number == 5:
                    break
            # Those that the loop had requested are not lost.
            for sample in output.next(2):
                number += 1
                assert packed(sample) == frames[number]
            for sample in output:
                number += 1
                assert packed(sample) == frames[number]
            assert number == len(frames) - 1
            assert output.ended
            assert output.next() == []
            del sample
            nothing = engine.stats()
            assert nothing["leases"] == 0
        with asset.reader(TrackOutput("video", pixel_format="yuv420p")) as reader:
            for _ in reader.outputs[0]:
                break
        del _
        nothing_left_but(engine, "asset")


def test_a_forgotten_loop_leaves_nothing(engine, clip):
    samples = engine.open(clip).reader(TrackOutput("video", pixel_format="gray")).outputs[0].samples()
    next(samples)
    del samples
    nothing_left(engine)


def test_leaving_an_async_loop_leaves_nothing(binary, clip, frames):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(clip)
            async with await asset.reader(TrackOutput("video", pixel_format="yuv420p")) as reader:
                output = reader.outputs[0]
                number = 0
                async for sample in output.samples(batch=3):
                    assert packed(sample) == frames[number]
                    number += 1
                    if number == 4:
                        break
                async for sample in output:
                    assert packed(sample) == frames[number]
                    number += 1
                assert number == len(frames)
                del sample
            await asset.close()
            gc.collect()
            assert (await engine.stats())["leases"] == 0
            assert await engine.handles() == []

    run(job())


def test_who_keeps_all_gets_copies(binary, clip, frames):
    with reelwire.Engine(binary, arguments=["--shm-max", str(1 << 20)]) as engine:
        output = TrackOutput("video", pixel_format="yuv420p")
        with engine.open(clip) as asset, asset.reader(output) as reader:
            with pytest.warns(RuntimeWarning, match="held") as warned:
                samples = list(reader.outputs[0])
            # Once, and about the line that keeps them.
            assert [warning.filename for warning in warned] == [__file__]
            assert {sample.blob.kind for sample in samples} == {"shm"}
            assert engine.stats()["leasedBytes"] <= 1 << 18
            assert [packed(sample) for sample in samples] == frames
        nothing_left(engine)


def test_what_was_asked_for_in_vain_is_asked_for_again(binary, clip, frames):
    with reelwire.Engine(binary, arguments=["--shm-max", str(1 << 20)]) as engine:
        output = TrackOutput("video", pixel_format="yuv420p")
        with engine.open(clip) as asset, asset.reader(output) as reader:
            samples = reader.outputs[0].samples(batch=1, delivery="shm", timeout=0)
            next(samples)
            with all_leased(engine, clip), pytest.raises(reelwire.LeasesExhaustedError):
                for _ in samples:
                    pass
            rest = sum(1 for _ in reader.outputs[0].samples(delivery="shm", timeout=HANG))
            assert 0 < rest < len(frames)
        nothing_left(engine)


def nothing_left_but(engine, kind):
    gc.collect()
    assert [item["kind"] for item in engine.handles()] == [kind]
    assert engine.stats()["leases"] == 0


def test_the_next_batch_is_asked_for_while_the_caller_works(fake):
    def batch(*indices, end=False):
        return [{"result": {"sampleBuffers": [stored(n) for n in indices], "endOfStream": end}}]

    played = fake({NEXT: [batch(0, 1), batch(2, 3), batch(4, end=True)]})
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").reader("video") as reader:
            samples = reader.outputs[0].samples(batch=2, delivery="shm")
            assert bytes(next(samples)) == b"0"
            engine.stats()
            assert len(played.messages(NEXT)) == 2
            assert [bytes(sample) for sample in samples] == [b"1", b"2", b"3", b"4"]
    asked = [message["params"]["maxCount"] for message in played.messages(NEXT)]
    assert asked == [1, 2, 2]
    # Samples that were not taken are released.
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").reader("video") as reader:
            for _ in reader.outputs[0].samples(batch=2, delivery="shm"):
                break
        del _
        gc.collect()
        assert engine.stats()["leases"] == 0
    released = [m["params"]["leases"] for m in played.messages("blob/release")]
    assert len([lease for several in released for lease in several]) == 5 + 4


def stored(index):
    return {
        "presentationTime": {"value": index, "timescale": 25},
        "duration": {"value": 1, "timescale": 25},
        "numSamples": 1,
        "attachments": {},
        "blob": {"$shm": str(index)},
    }


def test_files_are_not_asked_for_ahead(fake, tmp_path):
    result = {"sampleBuffers": [stored(0)], "endOfStream": False}
    played = fake({NEXT: [[{"result": json.loads(json.dumps(result))}]]})
    with reelwire.Engine(**played.options) as engine:
        with engine.open("a.mp4").reader("video") as reader:
            samples = reader.outputs[0].samples(delivery=tmp_path / "%d.raw")
            next(samples)
            engine.stats()
            assert len(played.messages(NEXT)) == 1
            samples.close()


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("yuv422p", [(4, 5), (4, 3), (4, 3)]),
        ("yuvj444p", [(4, 5)] * 3),
        ("yuva420p", [(4, 5), (4, 3), (4, 3), (4, 5)]),
        ("yuv411p", [(4, 5), (4, 2), (4, 2)]),
        ("gbrp", [(4, 5)] * 3),
        ("gbrap12le", [(4, 5)] * 4),
        ("nv24", [(4, 5), (4, 5, 2)]),
        ("p210le", [(4, 5), (4, 3, 2)]),
        ("ya8", [(4, 5, 2)]),
        ("pal8", []),
        ("yuv420", [(4, 5), (4, 3), (4, 3)]),
        ("gbrp420", []),
    ],
)
def test_forms_of_planes(name, shapes):
    forms = picture_forms(name)
    assert [plane_layout(form, 5, 4, 64).shape for form in forms] == shapes
    if "1" in name and forms and name.endswith("le"):
        assert {form.type for form in forms} == {"<u2"}


def test_sound_that_is_no_single_array():
    uneven = [{"offset": 0}, {"offset": 64}, {"offset": 192}]
    assert audio_layout("s16", 10, 3, uneven) is None
    assert audio_layout("s24", 10, 1, [{"offset": 0}]) is None
    assert audio_layout("f64", 4, 3, [{"offset": 64 * n} for n in range(3)]).strides == (64, 8)
