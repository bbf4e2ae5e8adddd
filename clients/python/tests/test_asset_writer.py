"""Files that are written of arrays, images and samples, as ffprobe and ffmpeg see them."""

import asyncio
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import run
from waiting import HANG, turn

import reelwire
from reelwire import AudioInput, InputGroup, MediaTime, StoredInput, TextInput, TrackOutput, VideoInput

np = pytest.importorskip("numpy")

SIZE = WIDTH, HEIGHT = 64, 48
EXAMPLES = Path(__file__).parents[1] / "examples"


def probe(path, *entries):
    command = ["ffprobe", "-v", "error", "-of", "json"]
    ended = subprocess.run([*command, *entries, str(path)], check=True, capture_output=True)
    assert ended.stderr == b""
    return json.loads(ended.stdout)


def times(path, stream="v:0"):
    """The presentation times of the packets of a stream, in their order."""
    packets = probe(path, "-select_streams", stream, "-show_entries", "packet=pts_time")["packets"]
    return sorted(float(each["pts_time"]) for each in packets)


def pictures(path, pixel_format="rgb24", size=SIZE):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-f", "rawvideo"]
    command += ["-fps_mode", "passthrough", "-pix_fmt", pixel_format, "-"]
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(data, np.uint8).reshape(-1, size[1], size[0], 3).astype(int)


def samples(path, channels, stream="a:0"):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", f"0:{stream}"]
    data = subprocess.run([*command, "-f", "f64le", "-"], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(data).reshape(-1, channels)


def shade(number, size=SIZE):
    """A picture whose left half is as bright as its number, and whose right half is blue."""
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    picture[:, : size[0] // 2] = 16 + 8 * number
    picture[:, size[0] // 2 :, 2] = 200
    return picture


def assert_shades(path, count, size=SIZE, tolerance=6):
    found = pictures(path, size=size)
    expected = np.array([shade(number, size) for number in range(count)], int)
    assert found.shape == expected.shape
    inner = np.r_[2 : size[0] // 2 - 4, size[0] // 2 + 4 : size[0] - 2]
    assert abs(found - expected)[:, :, inner].max() <= tolerance


def test_arrays_become_a_film(engine, tmp_path):
    path = tmp_path / "film.mp4"
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25)) as writer:
        for number in range(20):
            writer.video.append(shade(number))
        assert writer.output_file_type == "mp4"
    assert writer.result.path == str(path)
    assert writer.result.file_size == path.stat().st_size
    assert writer.result.duration == MediaTime(20, 25)
    assert times(path) == [pytest.approx(number / 25, abs=1e-6) for number in range(20)]
    assert_shades(path, 20)


def test_times_are_the_callers(engine, tmp_path):
    path = tmp_path / "variable.mp4"
    given = [Fraction(0), Fraction(1001, 30000), Fraction(1, 2), Fraction(3, 5), Fraction(2)]
    with engine.asset_writer(path, video=VideoInput(SIZE)) as writer:
        writer.video.extend([shade(number) for number in range(5)], times=given)
    assert times(path) == [pytest.approx(float(time), abs=1e-4) for time in given]


def test_a_session_begins_where_it_is_stated(engine, tmp_path):
    path = tmp_path / "session.mp4"
    with engine.asset_writer(path, session_start=100, video=VideoInput(SIZE)) as writer:
        for number in range(5):
            writer.video.append(shade(number), 100 + number / 10)
    assert times(path) == [pytest.approx(number / 10, abs=1e-6) for number in range(5)]


@pytest.mark.parametrize(
    ("pixel_format", "make"),
    [
        ("rgb24", lambda picture: picture),
        ("bgr24", lambda picture: picture[..., ::-1]),
        ("rgba", lambda picture: np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])),
        ("rgb48le", lambda picture: picture.astype(np.uint16) * 257),
        ("rgb24", lambda picture: picture.tobytes()),
        ("rgb24", lambda picture: memoryview(picture)),
        ("gbrp", lambda picture: tuple(picture[..., plane] for plane in (1, 2, 0))),
    ],
)
def test_pictures_of_all_kinds(engine, tmp_path, pixel_format, make):
    path = tmp_path / "film.mp4"
    video = VideoInput(SIZE, pixel_format, frame_rate=25)
    with engine.asset_writer(path, video=video) as writer:
        writer.video.extend(make(shade(number)) for number in range(5))
    assert_shades(path, 5)


def test_planes_of_ten_bits(engine, tmp_path):
    """Their numbers come out as they went in, where nothing is lost."""
    path = tmp_path / "film.mov"
    luma = np.arange(HEIGHT * WIDTH, dtype=np.uint16).reshape(HEIGHT, WIDTH) % 800 + 100
    chroma = np.full((HEIGHT // 2, WIDTH // 2), 512, np.uint16)
    settings = {"codec": "hevc", "rateFactor": 0, "profile": "main10"}
    video = VideoInput(SIZE, "yuv420p10le", frame_rate=25, settings=settings)
    with engine.asset_writer(path, video=video) as writer:
        writer.video.extend([(luma, chroma, chroma)] * 3)
    (stream,) = probe(path, "-show_entries", "stream=pix_fmt,codec_name")["streams"]
    assert (stream["codec_name"], stream["pix_fmt"]) == ("hevc", "yuv420p10le")
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-f", "rawvideo"]
    command += ["-frames:v", "1", "-pix_fmt", "yuv420p10le", "-"]
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    found = np.frombuffer(data, "<u2")[: HEIGHT * WIDTH].reshape(HEIGHT, WIDTH)
    assert abs(found.astype(int) - luma).mean() < 12


def test_images_of_pillow(engine, tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "film.mp4"
    images = [pillow.fromarray(shade(number)) for number in range(5)]
    images[3] = images[3].convert("RGBA")
    with engine.asset_writer(path, video=VideoInput.like(images[0], frame_rate=25)) as writer:
        writer.video.extend(images)
    assert_shades(path, 5)


def test_image_files(engine, tmp_path):
    pillow = pytest.importorskip("PIL.Image")
    files = [tmp_path / f"{number}.png" for number in range(5)]
    for number, file in enumerate(files):
        pillow.fromarray(shade(number)).save(file)
    path = tmp_path / "film.mp4"
    with engine.asset_writer(path, video=VideoInput(frame_rate=25)) as writer:
        writer.video.extend([files[0], str(files[1]), *files[2:]])
    assert_shades(path, 5)


def test_samples_and_images_of_the_engine(engine, clip, tmp_path):
    """Samples and images that a reader and a generator have made go back under their leases."""
    path = tmp_path / "film.mp4"
    with engine.open(clip) as asset:
        size = asset.natural_size
        output = TrackOutput("video", pixel_format="yuv420p")
        with asset.reader(output) as reader, asset.image_generator(tolerance=0) as generator:
            with engine.asset_writer(path, video=VideoInput(frame_rate=30)) as writer:
                shown = []
                for sample in reader.outputs[0]:
                    shown.append(float(sample.presentation_time.seconds))
                    writer.video.append(sample)
                late = shown[-1] + 1
                times_of_images = [1.0, 2.0]
                images = generator.images(times_of_images, format="rgb24", delivery="shm")
                # They come as they are ready, and go in in order.
                for image in sorted(images, key=lambda each: each.index):
                    kept = np.array(image)
                    view = image.to_ndarray()
                    writer.video.append(image, late + image.index)
                    # A view that is still held shows the same bytes.
                    assert (view == kept).all()
    assert times(path) == [pytest.approx(each, abs=1e-3) for each in [*shown, late, late + 1]]
    assert len(pictures(path, size=(int(size.width), int(size.height)))) == len(shown) + 2
    assert engine.stats()["leases"] == 0


@pytest.mark.parametrize(
    ("type", "codec", "scale", "tolerance"),
    [
        ("int16", "pcm_s16le", 1 << 15, 0),
        ("int32", "pcm_s32le", 1 << 31, 0),
        ("float32", "pcm_f32le", 1, 0),
    ],
)
@pytest.mark.parametrize("order", ["frames first", "channels first"])
def test_pcm(engine, tmp_path, type, codec, scale, tolerance, order):
    path = tmp_path / "sound.mov"
    wave = np.sin(np.arange(30000) / 20) * 0.5
    data = np.stack([wave, -wave / 2], axis=1) * (scale if scale > 1 else 1)
    data = data.astype(type)
    audio = AudioInput(44100, channels=2, settings={"codec": codec})
    with engine.asset_writer(path, audio=audio) as writer:
        for part in np.array_split(data, 7):
            writer.audio.append(part if order == "frames first" else part.T)
    found = samples(path, 2)
    assert found.shape == data.shape
    assert abs(found * scale - data).max() <= tolerance
    assert engine.stats()["leases"] == 0


def test_audio_beside_video(engine, tmp_path):
    path = tmp_path / "film.mp4"
    second = np.sin(np.arange(48000) * 2 * np.pi * 440 / 48000).astype(np.float32) * 0.5
    inputs = {"video": VideoInput(SIZE, frame_rate=25), "audio": AudioInput(48000)}
    with engine.asset_writer(path, **inputs) as writer:
        for number in range(50):
            writer.video.append(shade(number % 20))
            writer.audio.append(second[number * 1920 % 48000 :][:1920])
    streams = probe(path, "-show_entries", "stream=codec_name,duration")["streams"]
    assert [each["codec_name"] for each in streams] == ["h264", "aac"]
    assert [float(each["duration"]) for each in streams] == [pytest.approx(2, abs=0.03)] * 2
    found = samples(path, 1)[4800:-4800, 0]
    spectrum = abs(np.fft.rfft(found * np.hanning(len(found))))
    assert np.argmax(spectrum) * 48000 / len(found) == pytest.approx(440, abs=1)


def test_text_becomes_subtitles(engine, tmp_path):
    path = tmp_path / "film.mp4"
    video, text = VideoInput(SIZE, frame_rate=25), TextInput(language="de")
    with engine.asset_writer(path, video=video, subtitles=text) as writer:
        writer.subtitles.append("Guten Tag", 0.2, duration=0.3)
        writer.subtitles.append("Auf Wiedersehen", 0.6, duration=0.3)
        writer.subtitles.finish()
        writer.video.extend(shade(number) for number in range(25))
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:s", "-f", "srt", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "00:00:00,200 --> 00:00:00,500\nGuten Tag" in text
    assert "00:00:00,600 --> 00:00:00,900\nAuf Wiedersehen" in text


def test_an_exception_leaves_nothing(engine, tmp_path):
    path = tmp_path / "film.mp4"
    with pytest.raises(KeyError):
        with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25)) as writer:
            writer.video.append(shade(0))
            raise KeyError("no")
    assert list(tmp_path.iterdir()) == []
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25)) as writer:
        writer.video.append(shade(0))
        writer.cancel()
    assert list(tmp_path.iterdir()) == []
    assert engine.handles() == []
    assert engine.stats()["leases"] == 0


def test_an_existing_file_is_not_touched(engine, tmp_path):
    path = tmp_path / "film.mp4"
    path.write_text("mine")
    with pytest.raises(reelwire.FileAlreadyExistsError):
        engine.asset_writer(path, video=VideoInput(SIZE))
    assert path.read_text() == "mine"
    assert engine.handles() == []


def test_what_starves_is_named(engine, tmp_path):
    size = 320, 240
    inputs = {"video": VideoInput(size, frame_rate=25), "audio": AudioInput()}
    path = tmp_path / "film.mp4"
    with pytest.raises(TimeoutError, match=r"'video' is ahead of 'audio'.*writer.audio.finish\(\)"):
        with engine.asset_writer(path, timeout=3, **inputs) as writer:
            for number in range(400):
                writer.video.append(shade(number % 20, size))
    assert not path.exists()
    with engine.asset_writer(path, timeout=HANG, **inputs) as writer:
        writer.audio.finish()
        for number in range(400):
            writer.video.append(shade(number % 20, size))
    assert len(times(path)) == 400


@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (np.zeros((HEIGHT, WIDTH, 4), np.uint8), ValueError, r"rgb24 of 64×48"),
        (np.zeros((HEIGHT, WIDTH, 3), np.float32), ValueError, r"float32"),
        (np.zeros((HEIGHT, WIDTH + 2, 3), np.uint8), ValueError, r"\(48, 66, 3\)"),
        (b"1234", ValueError, "9216 bytes, not 4"),
        (object(), TypeError, "neither an array nor a picture"),
        (None, TypeError, "NoneType"),
    ],
)
def test_what_does_not_fit_is_refused(engine, tmp_path, frame, error, message):
    path = tmp_path / "film.mp4"
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25)) as writer:
        writer.video.append(shade(0))
        with pytest.raises(error, match=message):
            writer.video.append(frame)
        # A refused frame has changed nothing.
        writer.video.append(shade(1))
    assert_shades(path, 2)


def test_inputs_are_checked(engine, tmp_path):
    with pytest.raises(TypeError, match="'metdata'"):
        engine.asset_writer(tmp_path / "a.mp4", video=VideoInput(SIZE), metdata={"title": "x"})
    with pytest.raises(ValueError, match="'finish'"):
        engine.asset_writer(tmp_path / "a.mp4", finish=VideoInput(SIZE))
    with pytest.raises(TypeError, match="needs a time"):
        with engine.asset_writer(tmp_path / "a.mp4", video=VideoInput(SIZE)) as writer:
            writer.video.append(shade(0))
    with pytest.raises(AttributeError, match="no input 'vdeo', but video"):
        with engine.asset_writer(tmp_path / "a.mp4", video=VideoInput(SIZE)) as writer:
            _ = writer.vdeo
    assert engine.can_add_input("mp4", VideoInput(SIZE)) == []
    assert engine.can_add_input("wav", VideoInput(SIZE)) != []
    assert list(tmp_path.iterdir()) == []


def test_the_status_has_inputs_by_name(engine, tmp_path):
    inputs = {"video": VideoInput(SIZE, frame_rate=25), "audio": AudioInput()}
    with engine.asset_writer(tmp_path / "a.mp4", **inputs) as writer:
        assert writer.status().status == "writing"
        assert set(writer.status().inputs) == {"video", "audio"}
        writer.audio.append(np.zeros(4800, np.float32))
        writer.audio.finish()
        assert writer.status().inputs["audio"].appended == 1
        writer.video.append(shade(0))
    assert writer.result is not None


def copied(clip, path, *options):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), "-map", "0:v:0", "-map", "0:a:0"]
    subprocess.run([*command, "-c", "copy", *options, str(path)], check=True)
    return path


def packets(path):
    found = probe(path, "-show_entries", "packet=stream_index,pts_time,dts_time,size,flags")
    return sorted(
        (each["stream_index"], float(each["dts_time"]), float(each["pts_time"]), each["size"])
        for each in found["packets"]
    )


def test_stored_samples_are_copied(engine, clip, tmp_path):
    path = tmp_path / "copy.mp4"
    with engine.open(clip) as asset:
        with asset.reader("video", "audio") as reader:
            video, audio = reader.outputs
            inputs = {"video": StoredInput(video), "audio": StoredInput(audio)}
            with engine.asset_writer(path, **inputs) as writer:
                moved = writer.transfer((video, writer.video), (audio, writer.audio))
    assert [each.input for each in moved] == ["video", "audio"]
    assert all(each.ended for each in moved)
    assert packets(path) == packets(copied(clip, tmp_path / "theirs.mp4"))


def test_samples_go_through_the_client(engine, clip, tmp_path):
    path = tmp_path / "copy.mp4"
    with engine.open(clip) as asset, asset.reader("video") as reader:
        (track,) = asset.load_tracks("video")
        with engine.asset_writer(path, video=StoredInput(track)) as writer:
            writer.video.extend(reader.outputs[0])
    theirs = tmp_path / "theirs.mp4"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), "-map", "0:v", "-c", "copy"]
    subprocess.run([*command, str(theirs)], check=True)
    assert packets(path) == packets(theirs)


def test_a_transfer_pauses(engine, clip, tmp_path):
    """Some samples in the middle are changed here; progress comes on the way."""
    path, seen = tmp_path / "film.mp4", []
    with engine.open(clip) as asset:
        size = tuple(int(each) for each in asset.natural_size)
        with asset.reader(TrackOutput("video", pixel_format="rgb24")) as reader:
            output = reader.outputs[0]
            with engine.asset_writer(path, video=VideoInput(size)) as writer:
                (moved,) = writer.transfer((output, writer.video, 1))
                assert not moved.ended
                for sample in output.next(10):
                    writer.video.append(255 - sample.to_ndarray(), sample.presentation_time)
                (moved,) = writer.transfer(
                    (output, writer.video), progress=seen.append, progress_interval=0.001
                )
                assert moved.ended
    assert seen == sorted(seen)
    assert len(times(path)) == len(times(clip))
    found, plain = pictures(path, size=size), pictures(clip, size=size)
    assert found.shape == plain.shape
    inverted = abs(found - plain).mean(axis=(1, 2, 3)) > abs(255 - found - plain).mean(axis=(1, 2, 3))
    first = next(index for index, time in enumerate(times(clip)) if time >= 1 - 1e-6)
    assert np.flatnonzero(inverted).tolist() == list(range(first, first + 10))


def test_a_file_in_fragments_can_be_played_before_its_end(engine, tmp_path):
    path = tmp_path / "film.mp4"
    with engine.asset_writer(
        path, movie_fragment_interval=1, video=VideoInput(SIZE, frame_rate=25)
    ) as writer:
        for number in range(100):
            writer.video.append(shade(number % 20))
        assert path.exists()
    assert len(times(path)) == 100


def test_write_video(engine, tmp_path):
    frames = [shade(number) for number in range(10)]
    parts = []
    path = tmp_path / "a.mp4"
    result = engine.write_video(path, frames, fps=25, progress=parts.append)
    assert result.duration == MediaTime(10, 25)
    assert parts == [number / 10 for number in range(1, 11)]
    assert_shades(path, 10)
    wave = np.sin(np.arange(96000) / 20).astype(np.float32) / 2
    path = tmp_path / "b.mp4"
    engine.write_video(
        path, (each for each in frames * 5), fps="30000/1001", audio=np.stack([wave, wave]),
        settings={"codec": "hevc", "quality": 0.5}, metadata={"title": "Waves"},
    )  # fmt: skip
    found = probe(path, "-show_entries", "stream=codec_name,duration,avg_frame_rate", "-show_format")
    assert [each["codec_name"] for each in found["streams"]] == ["hevc", "aac"]
    assert found["streams"][0]["avg_frame_rate"] == "30000/1001"
    assert float(found["streams"][1]["duration"]) == pytest.approx(2, abs=0.03)
    assert found["format"]["tags"]["title"] == "Waves"


def test_write_video_needs_what_it_needs(engine, tmp_path):
    path = tmp_path / "a.mp4"
    with pytest.raises(ValueError, match="needs a picture"):
        engine.write_video(path, [])
    with pytest.raises(TypeError, match="count="):
        engine.write_video(path, iter([shade(0)]), progress=True)
    with pytest.raises(TypeError, match="'fbs'"):
        engine.write_video(path, [shade(0)], fbs=25)
    with pytest.raises(TypeError, match="float32"):
        engine.write_video(path, [shade(0).astype(np.float32)])
    with pytest.raises(ValueError, match="frame rate"):
        engine.write_video(path, [shade(0)], fps=0)
    assert list(tmp_path.iterdir()) == []


def test_async(binary, tmp_path):
    async def frames():
        for number in range(10):
            await turn()
            yield shade(number)

    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            await engine.write_video(tmp_path / "a.mp4", frames(), fps=25)
            inputs = {"video": VideoInput(SIZE, frame_rate=25), "audio": AudioInput()}
            async with await engine.asset_writer(tmp_path / "b.mp4", **inputs) as writer:

                async def audio():
                    for _ in range(10):
                        await writer.audio.append(np.zeros((1920, 2), np.int16))
                    await writer.audio.finish()

                await asyncio.gather(writer.video.extend(frames()), audio())
            with pytest.raises(KeyError):
                async with await engine.asset_writer(tmp_path / "c.mp4", **inputs) as writer:
                    raise KeyError
            assert await engine.handles() == []

    run(job())
    assert_shades(tmp_path / "a.mp4", 10)
    assert_shades(tmp_path / "b.mp4", 10)
    assert not (tmp_path / "c.mp4").exists()


def test_tracks_that_belong_together(engine, tmp_path):
    """Read back as an asset's keys, and as the boxes that ISO/IEC 14496-12 has for it (8.3.2, 8.3.3)."""
    path = tmp_path / "languages.mp4"
    inputs = {
        "video": VideoInput(SIZE, frame_rate=25),
        "english": AudioInput(language="en"), "german": AudioInput(language="de"),
        "stereo": AudioInput(), "subtitles": TextInput(language="en"),
    }
    groups = [InputGroup("german", "english", default="english"), InputGroup("subtitles", default=None)]
    associations = [("audioFallback", "english", "stereo"), ("selectionFollower", "english", "subtitles")]
    with engine.asset_writer(path, groups=groups, associations=associations, **inputs) as writer:
        for number in range(10):
            writer.video.append(shade(number))
        for name in ("english", "german", "stereo"):
            writer.inputs[name].append(np.zeros(19200, np.float32))
        writer.subtitles.append("hello", 0, duration=0.2)
    with engine.open(path) as asset:
        tracks = asset.load_tracks()
        keys = ("isEnabled", "availableTrackAssociationTypes")
        found = [track.load(*keys) for track in tracks]
        assert [each["isEnabled"] for each in found] == [True, True, False, True, False]
        grouped = asset.load("trackGroups")["trackGroups"]
        assert grouped == [[2, 3]]
        kinds = [each["availableTrackAssociationTypes"] for each in found]
        assert kinds[1] == ["audioFallback", "selectionFollower"] and not any(kinds[2:])
        for kind, number in (("audioFallback", 4), ("selectionFollower", 5)):
            wanted = {"asset": asset.handle, "trackID": 2, "associationType": kind}
            others = engine.request("track/associatedTracks", wanted)["tracks"]
            assert [each["trackID"] for each in others] == [number]
    data = path.read_bytes()
    place = data.index(b"tref")
    assert data[place + 4 : place + 28] == b"".join(
        (12).to_bytes(4, "big") + kind + number.to_bytes(4, "big")
        for kind, number in ((b"fall", 4), (b"folw", 5))
    )
    streams = probe(path, "-show_entries", "stream=codec_type:stream_disposition=default")["streams"]
    assert [each["disposition"]["default"] for each in streams] == [1, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"groups": [InputGroup("a", "v")]}, "/inputGroups/0/inputs"),
        ({"groups": [InputGroup("a"), InputGroup("a")]}, "/inputGroups/1/inputs"),
        ({"groups": [InputGroup("a", default="b")]}, "/inputGroups/0/defaultInput"),
        ({"associations": [("audioFallback", "a", "v")]}, "/trackAssociations/0/associatedInput"),
        ({"associations": [("timecode", "a", "a")]}, "/trackAssociations/0/associatedInput"),
        ({"groups": [InputGroup("a", "b")], "movie_fragment_interval": 1}, "/inputGroups"),
        ({"groups": [InputGroup("a", "b")], "output_file_type": "mkv"}, "/inputGroups"),
    ],
)
def test_tracks_that_dont_belong_together(engine, tmp_path, options, place):
    inputs = {"v": VideoInput(SIZE), "a": AudioInput(), "b": AudioInput()}
    with pytest.raises(reelwire.UnsupportedOutputSettingsError) as raised:
        engine.asset_writer(tmp_path / "a.mp4", **options, **inputs)
    assert place in [each["path"] for each in raised.value.data["errors"]]


def test_a_name_that_no_input_has(engine, tmp_path):
    with pytest.raises(ValueError, match="there is no input 'c': a"):
        engine.asset_writer(tmp_path / "a.mp4", groups=[InputGroup("c")], a=AudioInput())


def test_a_stream_in_a_folder(engine, tmp_path):
    folder = tmp_path / "stream"
    output = reelwire.HLSFolder(folder, interval=1)
    inputs = {"video": VideoInput(SIZE, frame_rate=25), "audio": AudioInput()}
    with engine.asset_writer(output, **inputs) as writer:
        for number in range(100):
            writer.video.append(shade(number % 20))
            writer.audio.append(np.zeros(1920, np.float32))
    playlist = folder / "index.m3u8"
    assert playlist.read_text().endswith("#EXT-X-ENDLIST\n")
    assert len(output.playlist.segments) == 4
    assert sum(each.duration for each in output.playlist.segments) == 4
    command = ["-allowed_extensions", "ALL", "-select_streams", "v", "-show_entries", "packet=flags,pts_time"]
    found = probe(playlist, *command)["packets"]
    assert len(found) == 100
    variants = reelwire.MultivariantPlaylist()
    variants.add(output.uri, output.playlist, frame_rate=25)
    variants.save(folder / "all.m3u8")
    assert len(probe(folder / "all.m3u8", *command)["packets"]) == 100
    assert output.playlist.resolution == SIZE
    assert [each[:4] for each in output.playlist.codecs] == ["avc1", "mp4a"]
    with pytest.raises(FileExistsError):
        reelwire.HLSFolder(folder)


@pytest.mark.parametrize("seconds", (4, 3))
def test_a_stream_whose_audio_goes_on(engine, tmp_path, seconds):
    """Segments continue until the last track ends, for a video that ends with a segment, and for one that ends
    within one."""
    output = reelwire.HLSFolder(tmp_path / "stream", 4)
    inputs = {"video": VideoInput(SIZE, frame_rate=25), "audio": AudioInput()}
    with engine.asset_writer(output, **inputs) as writer:
        for number in range(250):
            if number < 25 * seconds:
                writer.video.append(shade(number % 20))
            elif number == 25 * seconds:
                writer.video.finish()
            writer.audio.append(np.zeros(1920, np.float32))
    durations = [each.duration for each in output.playlist.segments]
    assert len(durations) == 3
    # Segments of audio begin with a packet, and the last samples are somewhere in one.
    assert abs(float(sum(durations)) - 10) < 2 * 1024 / 48000
    command = ["-allowed_extensions", "ALL", "-select_streams", "a", "-show_entries", "packet=pts_time,duration_time"]
    packets = probe(tmp_path / "stream" / "index.m3u8", *command)["packets"]
    assert float(packets[-1]["pts_time"]) + float(packets[-1]["duration_time"]) >= 10


def test_what_takes_segments_may_fail(engine):
    taken = []

    def take(segment):
        taken.append(segment)
        if segment.index == 1:
            raise OSError("the network is down")

    with pytest.raises(OSError, match="network"):
        with engine.asset_writer(
            reelwire.Segments(take, 1), video=VideoInput(SIZE, frame_rate=25)
        ) as writer:
            for number in range(100):
                writer.video.append(shade(number % 20))
    assert taken[0].is_initialization
    assert [each.index for each in taken[1:]] == [0, 1]


@pytest.mark.parametrize("example", ["timelapse", "timelapse of a video", "boxes"])
def test_an_example_runs(binary, clip, tmp_path, example):
    script, path = EXAMPLES / f"{example.split()[0]}.py", tmp_path / "out.mp4"
    arguments = {"boxes": [clip, path], "timelapse of a video": [path, clip, "0.5"]}.get(example)
    if arguments is None:
        pillow = pytest.importorskip("PIL.Image")
        files = [tmp_path / f"{number}.jpg" for number in range(6)]
        for number, file in enumerate(files):
            pillow.fromarray(shade(number)).save(file)
        arguments = [path, *files]
    subprocess.run([sys.executable, str(script), *map(str, arguments)], check=True)
    count = {"boxes": len(times(clip)), "timelapse": 6, "timelapse of a video": 8}[example]
    assert len(times(path)) == count
    if example == "boxes":
        assert packets(path)[count:] == packets(copied(clip, tmp_path / "copy.mp4"))[count:]
        (stream,) = probe(clip, "-select_streams", "v", "-show_entries", "stream=width,height")["streams"]
        found = pictures(path, size=(stream["width"], stream["height"]))
        green = (found[..., 1] > 200) & (found[..., 0] < 90) & (found[..., 2] < 90)
        plain = pictures(clip, size=(stream["width"], stream["height"]))
        was = (plain[..., 1] > 200) & (plain[..., 0] < 90) & (plain[..., 2] < 90)
        assert green[30:].mean() > was[30:].mean() * 1.02


@pytest.mark.parametrize("shape", [(48, 64, 3), (48, 64, 4), (48, 64)])
def test_write_video_takes_several_pictures(engine, tmp_path, shape):
    numpy = pytest.importorskip("numpy")
    picture = numpy.zeros(shape, numpy.uint8)
    with pytest.raises(ValueError, match=r"\[picture\]"):
        engine.write_video(tmp_path / "one.mp4", picture, fps=25)
    assert list(tmp_path.iterdir()) == []
    result = engine.write_video(tmp_path / "one.mp4", [picture] * 5, fps=25)
    assert f"one.mp4 0.200 s {result.file_size} bytes" in repr(result)


def test_write_video_takes_several_pictures_when_it_is_asynchronous(binary, tmp_path):
    numpy = pytest.importorskip("numpy")

    async def write():
        async with reelwire.AsyncEngine(binary) as engine:
            await engine.write_video(tmp_path / "one.mp4", numpy.zeros((48, 64, 3), numpy.uint8))

    with pytest.raises(ValueError, match=r"\[picture\]"):
        run(write())


@pytest.mark.parametrize(
    ("type", "codec"),
    [("ogg", "vorbis"), ("oga", "flac"), ("opus", "opus"), ("flac", "flac"), ("wav", "pcm")],
)
def test_metadata_of_audio_files(engine, tmp_path, type, codec):
    path = tmp_path / f"a.{type}"
    metadata = {"title": "Waves", "artist": "Sea", "description": "Both"}
    audio = AudioInput(48000, channels=1, settings={"codec": codec})
    with engine.asset_writer(path, audio=audio, metadata=metadata) as writer:
        writer.audio.append(np.zeros(4800, np.int16))
    found = probe(path, "-show_entries", "format_tags:stream_tags")
    # The comments of Ogg are its stream's. A description is called a comment where both have one name.
    tags = {**found["format"].get("tags", {}), **found["streams"][0].get("tags", {})}
    tags = {key.lower(): value for key, value in tags.items()}
    assert (tags["title"], tags["artist"]) == ("Waves", "Sea")
    lost = [each["key"] for each in writer.result.dropped]
    if type == "wav":
        assert len(lost) == 1 and "description" in lost[0]
        assert "Both" not in tags.values()
    else:
        assert lost == [] and "Both" in tags.values()


def test_metadata_that_a_file_has_no_place_for_is_listed(engine, tmp_path):
    path = tmp_path / "a.ts"
    metadata = {"artist": "Sea", "description": "Both"}
    with engine.asset_writer(path, video=VideoInput(SIZE, frame_rate=25), metadata=metadata) as writer:
        writer.video.append(shade(1))
        writer.video.append(shade(2))
    dropped = writer.result.dropped
    assert [each["item"] for each in dropped] == ["metadata"] * 2
    assert all("ts files have no place for it" in each["reason"] for each in dropped)


@pytest.mark.parametrize("codec", ["aac", "alac"])
def test_channels_that_are_mixed_down_are_listed(engine, tmp_path, codec):
    path = tmp_path / "a.m4a"
    with engine.asset_writer(path, audio=AudioInput(48000, channels=8, settings={"codec": codec})) as writer:
        writer.audio.append(np.zeros((4800, 8), np.int16))
    (stream,) = probe(path, "-show_streams")["streams"]
    assert stream["channels"] < 8
    (item,) = writer.result.dropped
    assert (item["item"], item["key"], item["mediaType"]) == ("channels", "8", "audio")
    stereo = AudioInput(48000, channels=2, settings={"codec": codec})
    with engine.asset_writer(tmp_path / "b.m4a", audio=stereo) as writer:
        writer.audio.append(np.zeros((4800, 2), np.int16))
    assert writer.result.dropped == []


@pytest.mark.parametrize("type", ["mov", "mkv"])
def test_colours_of_motion_jpeg(engine, tmp_path, type):
    """Above the height from which BT.709 is usual."""
    path = tmp_path / f"a.{type}"
    size = 1280, 720
    picture = np.empty((size[1], size[0], 3), np.uint8)
    picture[:] = 0xC8, 0x32, 0x64
    settings = {"codec": "mjpeg", "quality": 1}
    with engine.asset_writer(path, video=VideoInput(size, frame_rate=25, settings=settings)) as writer:
        writer.video.append(picture)
        writer.video.append(picture)
    assert abs(pictures(path, size=size) - picture.astype(int)).max() <= 3
