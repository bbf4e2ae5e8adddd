"""Tasks of those who publish, convert, check and archive files, solved as the pages state it.

Each test is a task in one sentence; the numbers about its result are those of FFmpeg's programs and of NumPy.
"""

from __future__ import annotations

import json

import pytest

from desk import TEXTS, Desk, nearest


def boxes(data: bytes) -> "list[str]":
    """The names of the outermost boxes of a movie, in their order."""
    (names, at) = ([], 0)
    while at < len(data):
        names.append(data[at + 4 : at + 8].decode("latin-1"))
        size = int.from_bytes(data[at : at + 4], "big")
        at += int.from_bytes(data[at + 8 : at + 16], "big") if size == 1 else size
    return names


def test_every_subtitle(desk: Desk) -> None:
    """Take every track of subtitles out of a Matroska file, as SRT files with their languages in their names."""
    desk.bring("film.mp4", "hello.en.srt", "hello.de.srt")
    desk.ffmpeg(
        *"-i film.mp4 -i hello.en.srt -i hello.de.srt -map 0 -map 1 -map 2 -c copy -c:s srt".split(),
        *"-metadata:s:s:0 language=eng -metadata:s:s:1 language=ger movie.mkv".split(),
    )
    desk.sh("reelwire export movie.mkv subtitles.srt --all-subtitles")
    for language in ("en", "de"):
        # The audio of a film from MP4 begins 21 ms before its video, which Matroska writes as 0.
        begin = "00:00:01,021"
        made = (desk.folder / f"subtitles.{language}.srt").read_text().strip()
        assert made.split("\n")[1].startswith(begin)
        assert [line for line in made.split("\n") if "-->" not in line] == [
            line for line in TEXTS[f"hello.{language}.srt"].strip().split("\n") if "-->" not in line
        ]


def test_subtitles_that_can_be_switched(desk: Desk) -> None:
    """Add English and German subtitles to a film for players to choose from, and copy all else."""
    desk.bring("film.mp4", "hello.en.srt", "hello.de.srt")
    desk.sh("reelwire subtitles add film.mp4 hello.en.srt hello.de.srt -o film-with.mp4")
    streams = [each for each in desk.facts("film-with.mp4")["streams"] if each["codec_type"] == "subtitle"]
    found = [(each["codec_name"], each["tags"]["language"]) for each in streams]
    assert found == [("mov_text", "eng"), ("mov_text", "deu")]
    for number, name in enumerate(("hello.en.srt", "hello.de.srt")):
        made = desk.decoded("film-with.mp4", "-map", f"0:s:{number}", "-f", "srt").decode()
        assert made.strip() == TEXTS[name].strip()
    assert desk.hashes("film-with.mp4", "-c", "copy") == desk.hashes("film.mp4", "-c", "copy")


def test_nothing_private(desk: Desk) -> None:
    """Remove title, place, date and comment from footage of a phone before it is published, without encoding it."""
    desk.bring("phone.mov")
    assert b"+52.52" in (desk.folder / "phone.mov").read_bytes()
    desk.sh("reelwire tags phone.mov --clear -o public.mov")
    facts = desk.facts("public.mov")
    stays = {"major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "encoder", "language"}
    found = [*facts["format"]["tags"], *(name for each in facts["streams"] for name in each["tags"])]
    assert set(found) <= stays
    data = (desk.folder / "public.mov").read_bytes()
    assert b"52.52" not in data and b"private" not in data and b"2024-03-01" not in data
    assert desk.hashes("public.mov", "-c", "copy") == desk.hashes("phone.mov", "-c", "copy")
    assert desk.stream("public.mov", "video")["side_data_list"] == desk.stream("phone.mov", "video")["side_data_list"]


def test_nothing_private_in_tracks(desk: Desk) -> None:
    """Remove everything from a Matroska file that names people and places, its tracks' names and attachments too."""
    desk.bring("film.mkv")
    (desk.folder / "notes.txt").write_text("private notes")
    desk.ffmpeg(
        *"-i film.mkv -c copy -metadata comment=private -metadata:s:v title=private".split(),
        *"-metadata:s:a title=private -attach notes.txt -metadata:s:t mimetype=text/plain named.mkv".split(),
    )
    desk.sh("reelwire tags named.mkv --clear -o public.mkv")
    assert desk.hashes("public.mkv", "-c", "copy") == desk.hashes("film.mkv", "-c", "copy")
    assert b"private" not in (desk.folder / "public.mkv").read_bytes()


def test_another_container(desk: Desk) -> None:
    """Turn a Matroska file into an MP4 for a television, without encoding it."""
    desk.bring("film.mkv")
    desk.sh("reelwire export film.mkv made.mp4 --preset Passthrough")
    assert desk.hashes("made.mp4") == desk.hashes("film.mkv")
    audio = ("-map", "0:a", "-c", "copy", "-f", "md5")
    assert desk.decoded("made.mp4", *audio) == desk.decoded("film.mkv", *audio)
    assert desk.times("made.mp4") == pytest.approx(desk.times("film.mkv"), abs=0.0011)
    facts = desk.facts("made.mp4")
    assert facts["format"]["tags"]["title"] == "Holiday" and "mp4" in facts["format"]["format_name"]
    assert [each["codec_name"] for each in facts["streams"]] == ["h264", "aac"]
    assert desk.stream("made.mp4", "audio")["tags"]["language"] == "eng"


def test_a_film_for_a_page(desk: Desk) -> None:
    """Make an MP4 of at most 200 kB that every browser plays and that begins before it has been loaded."""
    desk.bring("film.mkv")
    # As screens are recorded, with the colour of every pixel, which browsers don't play.
    desk.ffmpeg(*"-i film.mkv -c:v libx264 -pix_fmt yuv444p -c:a copy screen.mkv".split())
    desk.sh(
        "reelwire export screen.mkv page.mp4"
        " --pixel-format yuv420p --audio-bitrate 96k --size-limit 200000 --faststart"
    )
    data = (desk.folder / "page.mp4").read_bytes()
    assert len(data) <= 200_000
    order = boxes(data)
    assert order.index("moov") < order.index("mdat")
    (video, audio) = (desk.stream("page.mp4", kind) for kind in ("video", "audio"))
    assert (video["codec_name"], video["pix_fmt"], audio["codec_name"]) == ("h264", "yuv420p", "aac")
    # It is all there.
    source = desk.frames("film.mkv", "scale=80:-2", "gray")
    made = desk.frames("page.mp4", "scale=80:-2", "gray")
    assert len(made) == 180 and sum(nearest(frame, source) == number for number, frame in enumerate(made)) > 170


def test_a_stream_for_a_page(desk: Desk) -> None:
    """Cut a film into segments of two seconds with a playlist, for HTTP Live Streaming, without encoding it."""
    desk.bring("film.mp4")
    desk.python("""
import reelwire
from reelwire import HLSFolder, StoredInput

with reelwire.Engine() as engine, engine.open("film.mp4") as film:
    with film.reader("video", "audio") as reader:
        (video, audio) = map(StoredInput, reader.outputs)
        with engine.asset_writer(HLSFolder("stream", 2), video=video, audio=audio) as writer:
            writer.transfer((reader.outputs[0], writer.video), (reader.outputs[1], writer.audio))
""")
    lines = (desk.folder / "stream/index.m3u8").read_text().splitlines()
    durations = [float(line[len("#EXTINF:") :].split(",")[0]) for line in lines if line.startswith("#EXTINF:")]
    assert durations == pytest.approx([2, 2, 2], abs=0.001) and lines[-1] == "#EXT-X-ENDLIST"
    assert desk.hashes("stream/index.m3u8") == desk.hashes("film.mp4")
    assert desk.samples("stream/index.m3u8").size >= 287000


def test_record_for_three_seconds(desk: Desk) -> None:
    """Record three seconds of a screen with its audio into an MP4."""
    # Machines of tests have no screen.
    desk.sh("reelwire record take.mp4 --synthetic --size 320x180 --fps 30 --duration 3")
    (video, audio) = (desk.stream("take.mp4", kind) for kind in ("video", "audio"))
    assert (video["codec_name"], video["width"], video["height"], audio["codec_name"]) == ("h264", 320, 180, "aac")
    assert desk.duration("take.mp4") == pytest.approx(3, abs=0.05)
    assert len(desk.hashes("take.mp4")) > 0 and "moof" not in boxes((desk.folder / "take.mp4").read_bytes())


def test_what_is_in_a_file(desk: Desk) -> None:
    """Find out which codecs a file has, its size and rate, and by how much its sound is late."""
    desk.bring("film.mp4")
    desk.ffmpeg(*"-i film.mp4 -itsoffset 0.5 -i film.mp4 -map 0:v -map 1:a -c copy late.mp4".split())
    printed = desk.sh("reelwire probe late.mp4")
    assert "H.264" in printed and "320 × 180, 30 frames/s" in printed and "AAC (LC), 48 kHz, stereo" in printed
    (facts, found) = (desk.facts("late.mp4"), json.loads(desk.sh("reelwire probe --json late.mp4")))
    starts = [track["timeRange"]["start"] for track in found["tracks"]]
    for start, stream in zip(starts, facts["streams"]):
        assert start["value"] / start["timescale"] == pytest.approx(float(stream["start_time"]), abs=1e-5)
    assert f"begins at 0:{float(facts['streams'][1]['start_time']):06.3f}" in printed
    duration = found["duration"]["value"] / found["duration"]["timescale"]
    assert duration == pytest.approx(float(facts["format"]["duration"]), abs=0.001)


def test_an_archive(desk: Desk) -> None:
    """Archive a film without any loss, and prove that it has every frame and every sample of the source."""
    desk.bring("film.mp4")
    desk.sh("reelwire export film.mp4 archive.mkv --preset FFV1")
    assert [each["codec_name"] for each in desk.facts("archive.mkv")["streams"]] == ["ffv1", "flac"]
    assert desk.hashes("archive.mkv") == desk.hashes("film.mp4")
    assert desk.times("archive.mkv") == pytest.approx(desk.times("film.mp4"), abs=0.0006)
    (source, made) = (desk.samples("film.mp4"), desk.samples("archive.mkv"))
    assert abs(made[:288000] - source[:288000]).max() < 2**-14
    assert desk.facts("archive.mkv")["format"]["tags"]["title"] == "Holiday"


def test_files_that_are_damaged(desk: Desk) -> None:
    """Find the files of an archive that are cut short or damaged, and save what can be read."""
    desk.bring("film.mkv", "film.mp4")
    whole = (desk.folder / "film.mkv").read_bytes()
    (desk.folder / "short.mkv").write_bytes(whole[: len(whole) * 2 // 3])
    movie = bytearray((desk.folder / "film.mp4").read_bytes())
    start = movie.index(b"mdat") + len(movie) // 2
    movie[start : start + 3000] = bytes(3000)
    (desk.folder / "damaged.mp4").write_bytes(movie)

    assert "cut short" not in desk.sh("reelwire probe film.mkv")
    assert "cut short" in desk.sh("reelwire probe short.mkv")
    assert "--salvage" in desk.refused("reelwire export short.mkv saved.mkv --preset Passthrough")
    assert not (desk.folder / "saved.mkv").exists()
    desk.sh("reelwire export short.mkv saved.mkv --preset Passthrough --salvage")
    saved = desk.hashes("saved.mkv")
    assert 100 < len(saved) < 180 and saved == desk.hashes("film.mkv")[: len(saved)]

    # Damage inside is found by decoding all of the file.
    found = desk.python("""
import reelwire

with reelwire.Engine() as engine:
    for name in ("film.mp4", "film.mkv", "damaged.mp4"):
        with engine.open(name) as asset:
            video = reelwire.TrackOutput("video", pixel_format="gray")
            audio = reelwire.TrackOutput("audio", sample_format="f32")
            with asset.reader(video, audio) as reader:
                for output in reader.outputs:
                    for _ in output:
                        pass
                print(name, [len(output.dropped) for output in reader.outputs])
""")
    assert found.splitlines() == ["film.mp4 [0, 0]", "film.mkv [0, 0]", "damaged.mp4 [1, 1]"]


def test_a_film_from_a_pipe(desk: Desk) -> None:
    """Convert a film that another program writes to a pipe, and pass the result on to a third one."""
    desk.bring("film.mp4")
    desk.sh("cat film.mp4 | reelwire export - - --file-type webm --width 160 --no-audio | cat >small.webm")
    video = desk.stream("small.webm", "video")
    assert (video["codec_name"], video["width"], video["height"]) == ("vp9", 160, 90)
    source = desk.frames("film.mp4", "scale=80:-2", "gray")
    assert [nearest(frame, source) for frame in desk.frames("small.webm", "scale=80:-2", "gray")] == list(range(180))


def test_one_language_of_several(desk: Desk) -> None:
    """Keep the English audio of a film that has two, and name its track."""
    desk.bring("film.mp4", "song.mp3")
    desk.ffmpeg(
        *"-i film.mp4 -i song.mp3 -map 0:v -map 1:a -map 0:a -c:v copy -c:a aac -t 6".split(),
        *"-metadata:s:a:0 language=ger -metadata:s:a:1 language=eng two.mkv".split(),
    )
    desk.sh("reelwire export two.mkv english.mp4 --preset Passthrough --tracks video,audio:en")
    (audio,) = [each for each in desk.facts("english.mp4")["streams"] if each["codec_type"] == "audio"]
    assert audio["tags"]["language"] == "eng"
    packets = ("-c", "copy", "-f", "md5")
    assert desk.decoded("english.mp4", "-map", "0:a", *packets) == desk.decoded("two.mkv", "-map", "0:a:1", *packets)
    assert desk.hashes("english.mp4") == desk.hashes("two.mkv")


def test_a_folder_of_films(desk: Desk) -> None:
    """Convert all films of a folder to small MP4 files with the same names, and go on where one of them is broken."""
    desk.bring("film.mkv", "phone.mov")
    (desk.folder / "broken.avi").write_bytes(b"RIFF" + bytes(100))
    printed = desk.python("""
from pathlib import Path
from reelwire import jobs

films = sorted(str(path) for path in Path(".").iterdir() if path.suffix in {".mkv", ".mov", ".avi"})
with jobs.Worker(jobs.Export("LowQuality", "{stem}.mp4")) as convert:
    for row in map(convert, films):
        print(row.path, "failed" if row.error else row.value.path)
""")
    assert "broken.avi failed" in printed and not (desk.folder / "broken.mp4").exists()
    for name, frames in (("film.mp4", 180), ("phone.mp4", 90)):
        assert desk.stream(name, "video")["codec_name"] == "h264" and len(desk.hashes(name)) == frames
