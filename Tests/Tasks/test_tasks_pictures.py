"""Tasks about pictures of films, films of pictures and other pictures in a film, solved as the pages state it.

Each test is a task in one sentence; the numbers about its result are those of FFmpeg's programs and of NumPy.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from desk import Desk, nearest, off


def test_the_frame_at_a_time(desk: Desk) -> None:
    """Save the frame that is shown at exactly 1.234 s as a PNG in full size."""
    desk.bring("film.mp4")
    desk.sh("reelwire image film.mp4 -t 1.234 -o frame.png")
    source = desk.frames("film.mp4")
    (frame,) = desk.frames("frame.png")
    assert nearest(frame, source) == int(1.234 * 30) and off(frame, source[37]) < 5
    # The pixels of the frame, without a conversion, are the same.
    desk.sh("reelwire image film.mp4 -t 1.234 --format yuv420p -o frame.yuv")
    raw = desk.decoded("film.mp4", "-map", "0:v", "-f", "rawvideo")
    size = 320 * 180 * 3 // 2
    assert (desk.folder / "frame.yuv").read_bytes() == raw[37 * size : 38 * size]


def test_an_animated_gif(desk: Desk) -> None:
    """Make a GIF of the two seconds from 1 s on, 160 pixels wide, with ten frames a second."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 loop.gif --start 1 --duration 2 --width 160 --fps 10")
    video = desk.stream("loop.gif", "video")
    assert (video["width"], video["height"], video["duration"]) == (160, 90, "2.000000")
    source = desk.frames("film.mp4", "scale=160:90")
    made = desk.frames("loop.gif")
    assert len(made) == 20
    assert all(abs(nearest(frame, source) - (30 + 3 * number)) <= 1 for number, frame in enumerate(made))
    # It is repeated forever.
    assert b"NETSCAPE2.0\x03\x01\x00\x00\x00" in (desk.folder / "loop.gif").read_bytes()


def test_a_contact_sheet(desk: Desk) -> None:
    """Make a sheet of twelve different frames of a film, and a map of their times for a web player."""
    desk.bring("film.mp4")
    desk.sh("reelwire sheet film.mp4 --columns 4 --rows 3 --exact -o sheet.jpg")
    (sheet,) = desk.frames("sheet.jpg", pixels="gray")
    assert sheet.shape == (270, 640)
    source = desk.frames("film.mp4", "scale=160:90", "gray")
    cue = r"^00:00:(\S+) --> 00:00:(\S+)\nsheet\.jpg#xywh=(\d+),(\d+),160,90$"
    cues = re.findall(cue, (desk.folder / "sheet.vtt").read_text(), re.M)
    assert len(cues) == 12
    shown = []
    for start, end, x, y in cues:
        tile = sheet[int(y) : int(y) + 90, int(x) : int(x) + 160]
        shown.append(nearest(tile, source))
        assert float(start) - 0.04 <= shown[-1] / 30 <= float(end)
    assert len(set(shown)) == 12 and shown == sorted(shown)


def test_a_quick_contact_sheet(desk: Desk) -> None:
    """Make a sheet of twelve frames of a short film without any option: they are different ones."""
    desk.bring("film.mp4")
    desk.sh("reelwire sheet film.mp4 --columns 4 --rows 3 -o sheet.jpg")
    (sheet,) = desk.frames("sheet.jpg", pixels="gray")
    source = desk.frames("film.mp4", "scale=160:90", "gray")
    tiles = sheet.reshape(3, 90, 4, 160).swapaxes(1, 2).reshape(12, 90, 160)
    assert len({nearest(tile, source) for tile in tiles}) == 12


def test_pictures_of_the_key_frames(desk: Desk) -> None:
    """Save a small picture of every key frame of a film."""
    desk.bring("film.mp4")
    desk.python("""
import reelwire

with reelwire.Engine() as engine, engine.open("film.mp4") as film:
    with film.sample_cursor(film.load_tracks("video")[0]) as cursor:
        times = [sample.presentation_time for sample in cursor if sample.is_sync]
    with film.image_generator(maximum_size=160) as generator:
        for image in generator.images(times, path="key-%02d.jpg"):
            print(image.path, image.actual_time)
""")
    source = desk.frames("film.mp4", "scale=160:90")
    made = sorted(desk.folder.glob("key-*.jpg"))
    assert [nearest(desk.frames(file.name)[0], source) for file in made] == [0, 60, 120]


def test_frames_for_a_model(desk: Desk) -> None:
    """Get four frames a second of a film as one array of RGB, 112 pixels wide."""
    desk.bring("film.mp4")
    desk.python("""
import numpy
import reelwire

with reelwire.Engine() as engine, engine.open("film.mp4") as film:
    times = [number / 4 for number in range(int(film.duration * 4))]
    numpy.save("frames.npy", film.frames_at(times, maximum_size=112))
""")
    made = np.load(desk.folder / "frames.npy")
    assert made.dtype == np.uint8 and made.shape == (24, 63, 112, 3)
    source = desk.frames("film.mp4", "scale=112:63")
    assert [nearest(frame, source) for frame in made] == [int(number * 7.5) for number in range(24)]


def test_frames_by_their_numbers(desk: Desk) -> None:
    """Get the frames 100, 3, 59 and the last one of a film, in this order, exactly as they are decoded."""
    desk.bring("film.mp4")
    desk.python("""
import numpy
import reelwire

with reelwire.Engine() as engine, engine.open("film.mp4") as film:
    with film.frames() as frames:
        numpy.save("frames.npy", frames[[100, 3, 59, -1]])
        print(len(frames))
    with film.frames("gray") as frames:
        numpy.save("gray.npy", frames[[100, 3, 59, -1]])
""")
    source = desk.frames("film.mp4")
    made = np.load(desk.folder / "frames.npy")
    assert [nearest(frame, source) for frame in made] == [100, 3, 59, 179]
    assert max(off(frame, source[number]) for frame, number in zip(made, (100, 3, 59, 179))) < 5
    luma = np.frombuffer(desk.decoded("film.mp4", "-map", "0:v", "-f", "rawvideo"), np.uint8).reshape(180, -1)
    # Grey is luma in the full range.
    expected = np.clip((luma[[100, 3, 59, 179], : 320 * 180].astype(float) - 16) * 255 / 219, 0, 255)
    assert np.abs(np.load(desk.folder / "gray.npy").reshape(4, -1) - expected).max() <= 1


def test_upright_for_a_phone(desk: Desk) -> None:
    """Crop a film to 9:16, from its middle."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 upright.mp4 --crop 9:16")
    made = desk.frames("upright.mp4", "scale=50:-2", "gray")
    video = desk.stream("upright.mp4", "video")
    (width, height) = (video["width"], video["height"])
    assert height == 180 and abs(width - 180 * 9 / 16) <= 1.5 and video.get("sample_aspect_ratio", "1:1") == "1:1"
    source = desk.frames("film.mp4", f"crop={width}:180,scale=50:-2", "gray")
    assert [nearest(frame, source) for frame in made] == list(range(180))
    assert off(made, source) < 3
    assert desk.samples("upright.mp4").size == pytest.approx(desk.samples("film.mp4").size, abs=2048)


def test_a_film_that_lies_on_its_side(desk: Desk) -> None:
    """Turn a film by 90° clockwise, and play it upright everywhere."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 turned.mp4 --rotate 90")
    video = desk.stream("turned.mp4", "video")
    assert (video["width"], video["height"]) == (180, 320) and "side_data_list" not in video
    (made, source) = (desk.frames("turned.mp4"), desk.frames("film.mp4", "transpose=clock"))
    assert len(made) == 180 and off(made, source) < 3


def test_turned_without_loss(desk: Desk) -> None:
    """Turn footage that lies on its side upright, without encoding it: its file alone states the turn."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 turned.mp4 --preset Passthrough --rotate 90")
    assert desk.hashes("turned.mp4", "-c", "copy") == desk.hashes("film.mp4", "-c", "copy")
    assert off(desk.frames("turned.mp4"), desk.frames("film.mp4", "transpose=clock")) == 0


def test_a_turned_track(desk: Desk) -> None:
    """Turn the video track of a composition, and export it without encoding it."""
    desk.bring("film.mp4", "phone.mov")
    desk.python("""
import reelwire

with reelwire.Engine() as engine:
    for (name, transform, made) in (
        ("film.mp4", [0, 1, -1, 0, 180, 0], "turned.mp4"),
        ("phone.mov", [0, 1, -1, 0, 320, 0], "further.mp4"),
        ("film.mp4", [0, 1, -1, 0, 180, 0], "turned.ts"),
    ):
        with engine.open(name) as film, engine.composition() as composition:
            composition.insert(film[:2], at=0)
            track = next(each for each in composition.tracks if each.media_type == "video")
            composition.set_track(track, preferred_transform=transform)
            done = composition.export(made, "Passthrough")
            items = [each["item"] for each in done.dropped]
            assert ("rotation" in items) == (made == "turned.ts"), items
""")
    assert desk.stream("turned.mp4", "video")["side_data_list"][0]["rotation"] == -90
    (made, source) = (desk.frames("turned.mp4"), desk.frames("film.mp4", "transpose=clock"))
    assert len(made) > 50 and off(made, source[: len(made)]) == 0
    turned = desk.stream("phone.mov", "video")["side_data_list"][0]["rotation"]
    further = desk.stream("further.mp4", "video").get("side_data_list", [{}])[0].get("rotation", 0)
    assert (turned - further) % 360 == 90


def test_footage_of_a_phone(desk: Desk) -> None:
    """Make a thumbnail and a small film of the footage of a phone that was held upright: both are upright."""
    desk.bring("phone.mov")
    desk.sh("reelwire image phone.mov -t 1.5 --height 160 -o thumbnail.jpg")
    desk.sh("reelwire export phone.mov small.mp4 --height 160")
    # FFmpeg turns frames as the file asks for.
    source = desk.frames("phone.mov", "scale=90:160")
    (thumbnail,) = desk.frames("thumbnail.jpg")
    assert nearest(thumbnail, source) == 45 and off(thumbnail, source[45]) < 8
    video = desk.stream("small.mp4", "video")
    assert (video["width"], video["height"]) == (90, 160)
    assert off(desk.frames("small.mp4"), source) < 8
    # Where nothing is encoded, the turn stays with the file.
    desk.sh("reelwire join 'phone.mov#t=0,1' 'phone.mov#t=2' -o joined.mov")
    (joined, phone) = (desk.stream(name, "video")["side_data_list"] for name in ("joined.mov", "phone.mov"))
    assert joined[0]["rotation"] == phone[0]["rotation"] != 0
    assert desk.frames("joined.mov", "scale=90:160").shape == (60, 160, 90, 3)


def test_side_by_side(desk: Desk) -> None:
    """Show two films next to each other, with the audio of the left one."""
    desk.bring("film.mp4", "other.mp4")
    (desk.folder / "sides.json").write_text("""{"size": {"width": 640, "height": 180}, "clips": [{"duration": 4}],
 "overlays": [
  {"url": "film.mp4", "timeRange": {"start": 0, "duration": 4},
   "frame": {"x": 0, "y": 0, "width": 320, "height": 180}},
  {"url": "other.mp4", "timeRange": {"start": 0, "duration": 4}, "fit": "contain",
   "frame": {"x": 320, "y": 0, "width": 320, "height": 180}}],
 "audio": [{"url": "film.mp4"}]}
""")
    desk.sh("reelwire compose sides.json -o sides.mp4")
    made = desk.frames("sides.mp4")
    assert made.shape == (120, 180, 640, 3)
    assert off(made[:, :, :320], desk.frames("film.mp4")[:120]) < 3
    other = desk.frames("other.mp4", "scale=240:180")
    for number in (0, 31, 62, 119):
        assert nearest(made[number, :, 360:600], other) == number * 25 // 30
    assert made[:, :, 325:355].max() < 24 and made[:, :, 605:].max() < 24
    (film, sides) = (desk.samples("film.mp4"), desk.samples("sides.mp4"))
    assert np.abs(sides[6000:190000] - film[6000:190000]).max() < 0.05


def test_a_logo_in_a_corner(desk: Desk) -> None:
    """Put a half transparent logo into the lower right corner, ten pixels from the edges."""
    desk.bring("film.mp4", "logo.png")
    (desk.folder / "logo.json").write_text("""{"clips": [{"url": "film.mp4"}],
 "overlays": [{"url": "logo.png", "timeRange": {"start": 0, "duration": "+infinity"},
   "frame": {"x": 270, "y": 150, "width": 40, "height": 20}}]}
""")
    desk.sh("reelwire compose logo.json -o marked.mp4")
    assert len(desk.times("marked.mp4")) == 180
    (source, made) = (desk.frames(name, "fps=3").astype(float) for name in ("film.mp4", "marked.mp4"))
    expected = source.copy()
    expected[:, 150:170, 270:310] = expected[:, 150:170, 270:310] / 2 + np.array([254, 0, 0]) / 2
    assert np.abs(made[:, 152:168, 274:306] - expected[:, 152:168, 274:306]).mean() < 6
    assert np.abs(made[:, :, :260] - expected[:, :, :260]).mean() < 3
    assert np.abs(made[:, 172:] - expected[:, 172:]).mean() < 6


def test_burnt_subtitles(desk: Desk) -> None:
    """Draw the subtitles of a file into the pictures, at their times and nowhere else."""
    desk.bring("film.mp4", "hello.en.srt")
    desk.sh("reelwire export film.mp4 burnt.mp4 --burn-subtitles hello.en.srt")
    (source, made) = (desk.frames(name, pixels="gray").astype(float) for name in ("film.mp4", "burnt.mp4"))
    changed = (np.abs(made - source) > 60).sum(axis=(1, 2))
    shown = {number for number in range(180) if changed[number] > 40}
    assert shown == {*range(30, 75), *range(90, 120)}
    rows = np.flatnonzero((np.abs(made[40] - source[40]) > 60).any(axis=1))
    assert rows.min() > 120 and "subtitle" not in {each["codec_type"] for each in desk.facts("burnt.mp4")["streams"]}


def test_a_folder_of_photos(desk: Desk) -> None:
    """Turn a folder of JPEGs into a film with twelve frames a second."""
    desk.bring("film.mp4")
    (desk.folder / "photos").mkdir()
    desk.ffmpeg("-i", "film.mp4", "-frames:v", "24", "-q:v", "2", "photos/IMG_%04d.jpg")
    desk.sh("reelwire stills photos/*.jpg --rate 12 -o lapse.mp4")
    desk.sh("reelwire export photos/IMG_%04d.jpg numbered.mp4 --rate 12")
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    for name in ("lapse.mp4", "numbered.mp4"):
        assert desk.times(name) == pytest.approx([number / 12 for number in range(24)], abs=1e-4)
        assert [nearest(frame, source) for frame in desk.frames(name, "scale=80:-2", "gray")] == list(range(24))
        video = desk.stream(name, "video")
        assert (video["width"], video["height"], video["codec_name"]) == (320, 180, "h264")


def test_a_still_of_hdr(desk: Desk) -> None:
    """Save a still of HDR10 footage for a page: neither pale nor dark."""
    levels = (64, 300, 400, 509, 573, 700, 940)
    steps = "+".join(f"{level}*between(X,{32 * at},{32 * at + 31})" for at, level in enumerate(levels))
    drawn = f"geq=lum='{steps}':cb=512:cr=512"
    desk.ffmpeg(
        *("-f", "lavfi", "-i", f"color=s={32 * len(levels)}x64:r=10:d=0.3,format=yuv420p10le,{drawn}"),
        *"-c:v libx265 -x265-params log-level=none:lossless=1 -color_primaries bt2020 -color_trc smpte2084".split(),
        *"-colorspace bt2020nc -pix_fmt yuv420p10le hdr.mp4".split(),
    )  # fmt: skip
    desk.sh("reelwire image hdr.mp4 -o still.png")
    assert desk.stream("still.png", "video")["pix_fmt"] == "rgb24"
    (still,) = desk.frames("still.png")
    steps_shown = [still[32, 32 * at + 16].astype(int) for at in range(len(levels))]
    assert all(abs(pixel - pixel[1]).max() <= 1 for pixel in steps_shown)
    (black, *middle, white) = (int(pixel[1]) for pixel in steps_shown)
    assert black == 0 and white == 255 and middle == sorted(middle) and len(set(middle)) == len(middle)
    # 203 cd/m², which is white paper by BT.2408, is bright and not clipped.
    assert 200 < middle[3] < 245


def test_a_constant_rate(desk: Desk) -> None:
    """Turn footage of a phone with a variable rate into 30 frames a second for an editor, in step with its audio."""
    desk.bring("film.mp4")
    # Frames of 30 a second, of which many are missing, as a phone leaves them out in the dark.
    chosen = [number for number in range(180) if number % 7 not in (2, 3) and not 60 < number < 75]
    select = "select='not(eq(mod(n,7),2)+eq(mod(n,7),3)+between(n,61,74))'"
    desk.ffmpeg(*f"-i film.mp4 -vf {select} -fps_mode vfr -c:v libx264 -c:a copy variable.mp4".split())
    assert desk.times("variable.mp4") == pytest.approx([number / 30 for number in chosen], abs=1e-4)
    desk.sh("reelwire export variable.mp4 constant.mp4 --fps 30")
    assert desk.times("constant.mp4") == pytest.approx([number / 30 for number in range(180)], abs=1e-4)
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    held = [max(number for number in chosen if number <= at) for at in range(180)]
    assert [nearest(frame, source) for frame in desk.frames("constant.mp4", "scale=80:-2", "gray")] == held
    (film, made) = (desk.samples("film.mp4"), desk.samples("constant.mp4"))
    assert np.abs(made[6000:280000] - film[6000:280000]).max() < 0.05


def test_thumbnails_in_node(desk: Desk) -> None:
    """Make thumbnails of five times in a Node program, as bytes for an answer, and show how far an export is."""
    desk.bring("film.mp4")
    printed = desk.node("""
import { writeFile } from 'node:fs/promises';
import { Engine } from './clients/node/src/index.js';

const engine = await Engine.launch();
const asset = await engine.open('film.mp4');
const times = [0, 1.5, 2.71, 4, 5.99];
for await (const image of asset.images(times, { format: 'jpeg', maximumSize: 160 })) {
  await writeFile(`thumb-${image.index}.jpg`, image.data);
}
const job = asset.export('small.mp4', { settings: { video: { width: 160 } } });
for await (const progress of job) console.log(progress);
console.log((await job).fileSize);
await engine.close();
""")
    source = desk.frames("film.mp4", "scale=160:90")
    made = [desk.frames(f"thumb-{number}.jpg")[0] for number in range(5)]
    assert [nearest(frame, source) for frame in made] == [0, 45, 81, 120, 179]
    (*progress, size) = map(float, printed.split())
    assert progress == sorted(progress) and 0 <= progress[0] <= progress[-1] <= 1
    assert int(size) == Path(desk.path("small.mp4")).stat().st_size
    assert off(desk.frames("small.mp4"), source) < 8
