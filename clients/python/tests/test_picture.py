"""The abilities of every picture: files, Pillow, notebooks."""

import io
import struct
import subprocess
import sys
import zlib

import pytest
from conftest import run

import reelwire

PIXELS = ["rgb24", "rgba", "bgra", "gray", "rgb48le", "rgba64le", "gray16le"]


def decoded(path, pixel_format):
    command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-f", "rawvideo"]
    command += ["-pix_fmt", pixel_format, "-"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("format", PIXELS)
def test_pixels_are_saved_as_png(engine, clip, tmp_path, format):
    path = tmp_path / "a.png"
    with engine.open(clip) as asset:
        image = asset.image(1, format=format)
        image.save(path)
        assert decoded(path, format) == image.packed()
        assert image._repr_png_() == path.read_bytes()
        assert image._repr_jpeg_() is None
        image.save(tmp_path / "a.raw")
        assert (tmp_path / "a.raw").read_bytes() == bytes(image)


def test_its_png_is_one_to_the_letter(engine, clip):
    """As the specification has it: signature, chunks in order, and their checksums."""
    with engine.open(clip) as asset:
        png = asset.image(0, format="gray")._repr_png_()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, names = 8, []
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place : place + 8])
        data = png[place + 8 : place + 8 + length]
        assert struct.unpack(">I", png[place + 8 + length :][:4])[0] == zlib.crc32(name + data)
        names.append(name)
        place += 12 + length
    assert names == [b"IHDR", b"IDAT", b"IEND"]


@pytest.mark.parametrize(("format", "start"), [("jpeg", b"\xff\xd8"), ("png", b"\x89PNG")])
def test_files_are_shown_as_they_are(engine, clip, tmp_path, format, start):
    with engine.open(clip) as asset:
        image = asset.image(1, format=format)
        shown = image._repr_png_() if format == "png" else image._repr_jpeg_()
        assert shown == bytes(image)
        assert shown.startswith(start)
        assert None in (image._repr_png_(), image._repr_jpeg_())
        image.save(tmp_path / f"a.{format}")
        assert (tmp_path / f"a.{format}").read_bytes() == bytes(image)


def test_a_name_that_says_another_format_is_refused(engine, clip, tmp_path):
    with engine.open(clip) as asset, pytest.raises(ValueError, match="format='png'"):
        asset.image(1).save(tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()


def test_yuv_is_told_what_to_do(engine, clip, tmp_path):
    pytest.importorskip("PIL")
    with engine.open(clip) as asset:
        image = asset.image(1, format="yuv420p")
        assert image._repr_png_() is None
        for use in (image.to_pil, lambda: image.save(tmp_path / "a.png")):
            with pytest.raises(TypeError, match='format="rgb24"'):
                use()


@pytest.mark.parametrize("format", [*PIXELS, "jpeg", "png", "webp", "bmp"])
def test_pillow_has_the_same_pixels(engine, clip, tmp_path, format):
    pytest.importorskip("PIL")
    with engine.open(clip) as asset:
        with asset.image_generator(tolerance=0) as generator:
            image = generator.image(1, format=format, delivery="shm")
            picture = image.to_pil()
            assert picture.size == (322, 180)
            if format in ("rgb24", "rgba", "gray", "gray16le"):
                assert picture.tobytes() == image.packed()
            elif format == "bgra":
                assert picture.tobytes("raw", "BGRA") == image.packed()
            elif format in ("rgb48le", "rgba64le"):
                assert picture.tobytes() == image.packed()[1::2]
            elif format in ("png", "bmp"):
                file = tmp_path / f"a.{format}"
                image.save(file)
                assert picture.convert("RGB").tobytes() == decoded(file, "rgb24")
            # A format other than PNG and JPEG is shown as a PNG.
            if format in ("webp", "bmp"):
                assert image._repr_png_().startswith(b"\x89PNG")
            del image, picture


def test_pixels_become_any_file_of_pillows(engine, clip, tmp_path):
    pil = pytest.importorskip("PIL.Image")
    with engine.open(clip) as asset:
        asset.image(1, format="rgb24").save(tmp_path / "a.jpg")
    with pil.open(tmp_path / "a.jpg") as picture:
        assert (picture.format, picture.size) == ("JPEG", (322, 180))


def test_without_pillow_the_rest_works(engine, clip, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with engine.open(clip) as asset:
        assert asset.image(0, format="bmp")._repr_png_() is None
        assert asset.image(0, format="rgb24")._repr_png_().startswith(b"\x89PNG")
        with pytest.raises(ImportError):
            asset.image(0).to_pil()


def test_samples_sheets_and_waveforms_are_pictures_too(engine, clip, tmp_path):
    pil = pytest.importorskip("PIL.Image")
    with engine.open(clip) as asset:
        with asset.reader(reelwire.TrackOutput("video", pixel_format="bgra", width=64)) as reader:
            (sample,) = reader.outputs[0].next()
            assert sample.to_pil().size == (64, 36)
            assert sample._repr_png_().startswith(b"\x89PNG")
            sample.save(tmp_path / "sample.png")
            del sample
        with asset.reader(reelwire.TrackOutput("video", format="jpeg"), "audio") as reader:
            (sample,) = reader.outputs[0].next()
            assert sample._repr_jpeg_() == bytes(sample)
            assert sample._repr_png_() is None
            (sample,) = reader.outputs[1].next()
            assert sample._repr_png_() is sample._repr_jpeg_() is None
            del sample
        with asset.image_generator() as generator:
            sheet = generator.contact_sheet(2, 2, tile_width=40, format="rgb24")
            sheet.save(tmp_path / "sheet.png")
            assert sheet.to_pil().size == (sheet.width, sheet.height)
        drawn = asset.waveform(format="png", width=50, height=20)
        assert drawn.to_pil().size == (50, 20)
        assert drawn._repr_png_() == bytes(drawn)
        assert asset.waveform(10)._repr_png_() is None
        image = asset.image(1, format="png", path=tmp_path / "still.png")
        assert pil.open(io.BytesIO(image._repr_png_())).size == (322, 180)
    with pil.open(tmp_path / "sample.png") as picture:
        assert (picture.mode, picture.size) == ("RGBA", (64, 36))


def test_an_image_that_failed_is_not_shown(engine, clip):
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        (image,) = generator.images([1000])
        assert image._repr_png_() is image._repr_jpeg_() is None
        with pytest.raises(reelwire.NoImageAtTimeError):
            image.to_pil()


def test_an_image_says_which_frame_it_is(engine, clip):
    with engine.open(clip) as asset:
        image = asset.image(1.01)
        assert (image.sample_index, image.is_exact) == (30, True)
        assert asset.image(1.01, tolerance=1).is_exact is False


def test_with_asyncio_a_picture_is_the_same(binary, clip):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(clip) as asset:
            image = await asset.image(1, format="gray")
            assert image._repr_png_().startswith(b"\x89PNG")

    run(job())
