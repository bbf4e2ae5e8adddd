"""Compositions against the real engine; their frames are those that ffmpeg decodes of their parts."""

import json
import subprocess
from fractions import Fraction

import pytest
from conftest import FRAME, nothing_left_async, probe, run

import reelwire
from reelwire import CompositionSegment, MediaTime, TimeRange


def _shown(images):
    """The pixels and the presentation times of frames."""
    return [(image.packed(), image.actual_time) for image in images]


def _expected(frames, *parts):
    """The frames of parts of the clip, (start, end) in seconds, by exact arithmetic."""
    shown, zero = [], Fraction(0)
    for start, end in parts:
        for index, frame in enumerate(frames):
            begin, after = index * FRAME, (index + 1) * FRAME
            if after > start and begin < end:
                shown.append((frame, zero + max(begin, start) - start))
        zero += end - start
    return shown


def _packets(path, kind):
    """The bytes of a stream's packets, as hashes, in the order of the file."""
    shown = probe(path, "-select_streams", kind, "-show_packets", "-show_data_hash", "md5")
    return [packet["data_hash"] for packet in shown["packets"]]


def _decoded(path):
    """A hash of each frame of a file's video, by ffmpeg."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:v"]
    command += ["-f", "framemd5", "-"]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[0] != "#"]


def test_frames_are_those_of_the_parts(engine, clip, frames):
    with engine.open(clip) as asset:
        expected = _expected(frames, (1, 3), (0, 1))
        with engine.composition(asset[1:3] + asset[:1]) as composition:
            assert composition.duration == 3
            with composition.frames("yuv420p") as shown:
                assert len(shown) == len(expected) == 61 + 30
                assert _shown(shown) == expected
                assert [shown[-1].index, shown[61].packed()] == [90, frames[0]]
                assert shown.at(2).index == 61
                assert shown.at(2.99).index == 90
            with composition.frames("gray") as gray:
                several = gray[[61, 0, 61]]
                assert several.shape == (3, 180, 322)
                assert (several[0] == several[2]).all()
                assert not (several[0] == several[1]).all()
            generator = composition.image_generator(tolerance=0)
            image = generator.image(Fraction(5, 2), format="yuv420p")
            assert image.packed() == frames[14]
            generator.close()


def test_frames_are_those_of_its_creation(engine, clip, frames):
    with engine.open(clip) as asset, engine.composition(asset[:1]) as composition:
        with composition.frames("yuv420p") as shown:
            composition.insert(asset[2:3], at=0)
            assert len(shown) == 30
            assert shown[0].packed() == frames[0]
        with composition.frames("yuv420p") as shown:
            assert _shown(shown) == _expected(frames, (2, 3), (0, 1))


def test_clips_alone_have_frames(engine, clip, frames):
    with engine.open(clip) as asset, (asset[1:2] * 2).frames("yuv420p") as shown:
        assert _shown(shown) == _expected(frames, (1, 2), (1, 2))


def test_audio_of_twenty_clips_is_exact_to_the_sample(engine, clip):
    with engine.open(clip) as asset:
        with (asset[:0.5] * 20).composition() as composition:
            assert composition.duration == 10
            audio = composition.audio()
        assert audio.shape == (1, 480_000)
        one = asset[:0.5].composition().audio()
        assert (audio[:, -24_000:] == one).all()


def test_speed_and_stills(engine, clip, cover, frames):
    with engine.open(clip) as asset, engine.open(cover) as still:
        fast = asset[1:3].at_speed(2)
        with engine.composition(fast + still[:3], natural_size=(322, 180)) as composition:
            assert composition.duration == 4
            assert composition.natural_size == (322, 180)
            video, audio = composition.tracks
            assert (video.media_type, audio.media_type) == ("video", "audio")
            shown, held = composition.segments(video)
            assert shown.source == TimeRange(1, 2)
            assert shown.target == TimeRange(0, 1)
            assert (shown.asset, shown.track, shown.path) == (asset, 1, str(clip))
            assert held.target == TimeRange(1, 3)
            assert held.asset is still
            with composition.frames("yuv420p") as pictures:
                half = [(frame, time / 2) for frame, time in _expected(frames, (1, 3))]
                assert _shown(pictures)[:-1] == half
                assert pictures[-1].actual_time == 1
            with composition.frames() as pictures:
                assert pictures.to_ndarray().shape == (62, 180, 322, 3)
            composition.set((161, 90))
            assert composition.natural_size == (161, 90)
            composition.set("source")
            assert composition.natural_size == (322, 180)


def test_a_join_copies_the_packets(engine, clip, tmp_path):
    with pytest.raises(ValueError, match="at least one file"):
        engine.join([], tmp_path / "out.mp4")
    made = engine.join([clip, str(clip)], tmp_path / "out.mp4")
    assert (made.preset, made.refused) == ("Passthrough", [])
    assert not made.is_lossless
    video, audio = made.tracks
    assert [part["treatment"] for part in video["segments"]] == ["copied", "copied"]
    assert audio["treatment"] == "encoded"
    assert "video copied, audio encoded" in repr(made)
    assert _packets(made.path, "v") == _packets(clip, "v") * 2
    assert _decoded(made.path) == _decoded(clip) * 2

    with engine.open(clip) as asset:
        copied = engine.join(asset * 2, tmp_path / "copied.mp4", joins={"audio": "copy"})
    assert copied.is_lossless
    assert _packets(copied.path, "v") == _packets(clip, "v") * 2
    assert set(_packets(copied.path, "a")) == set(_packets(clip, "a"))


def test_a_cut_and_join_encodes_only_edges(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        made = engine.join([asset[:1], asset[2:]], tmp_path / "out.mp4")
        assert not made.is_lossless
        first, second = made.tracks[0]["segments"]
        assert (first["treatment"], second["treatment"]) == ("edgesEncoded", "edgesEncoded")
        assert "video edgesEncoded, audio encoded" in repr(made)
        with engine.open(made.path) as result:
            assert abs(result.duration - 3) < FRAME
        stored = set(_packets(clip, "v"))
        copied = [packet in stored for packet in _packets(made.path, "v")]
        # Of groups of 24 frames the first, of the first part, and the last two stay whole.
        assert copied[:24] == [True] * 24
        assert copied[-48:] == [True] * 48
        assert not all(copied)


def test_what_can_t_be_copied_needs_a_preset(engine, clip, tmp_path):
    other = tmp_path / "other.mp4"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), "-c:v", "mpeg4", "-t", "1"]
    subprocess.run([*command, str(other)], check=True)
    with pytest.raises(reelwire.OperationNotSupportedForAssetError, match="codec is mpeg4"):
        reelwire.join([clip, other], tmp_path / "out.mp4")
    assert not (tmp_path / "out.mp4").exists()
    made = reelwire.join([clip, other], tmp_path / "out.mp4", "LowQuality", joins={"audio": "copy"})
    assert made.preset == "LowQuality"
    assert "codec is mpeg4" in made.refused[0]
    assert {track["treatment"] for track in made.tracks} == {"encoded"}
    assert len(_decoded(made.path)) == 150


def test_languages_of_a_join_stay_separate(engine, tmp_path):
    film = tmp_path / "film.m4a"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=1", "-f", "lavfi"]
    command += ["-i", "sine=880:d=1", "-map", "0", "-map", "1", "-c:a", "aac"]
    command += ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", str(film)]
    subprocess.run(command, check=True)

    def languages(path):
        streams = probe(path, "-show_entries", "stream_tags=language")["streams"]
        return [stream["tags"]["language"] for stream in streams]

    with engine.open(film) as asset:
        for name, export in {
            "sum.m4a": (asset + asset).export,
            "part.m4a": (asset[:0.5] + asset[0.5:]).export,
            "join.flac.mka": lambda *made: engine.join([asset, film], *made),
        }.items():
            preset = "AppleM4A" if name.endswith("m4a") else "FLAC"
            export(tmp_path / name, preset)
            # Matroska has the bibliographic code.
            assert languages(tmp_path / name) in (["eng", "deu"], ["eng", "ger"]), name
        mixed = (asset + asset).export(tmp_path / "mixed.m4a", "AppleM4A", audio_tracks="mix")
        assert len(languages(mixed.path)) == 1


def test_what_a_file_cant_hold_is_encoded_with_the_preset(engine, clip, tmp_path):
    audio = tmp_path / "audio.m4a"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(clip), "-vn", "-c:a", "copy"]
    subprocess.run([*command, "-t", "1", str(audio)], check=True)
    with pytest.raises(reelwire.FormatUnsupportedError, match="wav files can't hold aac"):
        reelwire.join([audio, audio], tmp_path / "out.wav")
    made = reelwire.join([audio, audio], tmp_path / "out.wav", "WAV")
    assert made.preset == "WAV"
    assert "wav files can't hold aac" in made.refused[0]
    lengths = [
        float(probe(path, "-show_streams")["streams"][0]["duration"]) for path in (audio, made.path)
    ]
    assert lengths[1] == pytest.approx(2 * lengths[0], abs=0.05)


def test_clips_are_exported(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        made = (asset[:1] + asset[2:3]).export(tmp_path / "out.mp4", "LowQuality")
        with engine.open(made.path) as result:
            assert abs(result.duration - 2) < FRAME
            assert abs(result.audio().shape[1] - 96_000) <= 1024


def test_it_is_edited(engine, clip):
    with engine.open(clip) as asset, engine.composition() as composition:
        assert (composition.duration, composition.tracks, composition.revision) == (0, [], 0)
        appended = composition.append(asset[1:3])
        assert (appended.time_range, appended.track_ids) == (TimeRange(0, 2), [1, 2])
        composition.insert([asset[:1], asset[:1].at_speed(2)], at=1)
        assert composition.duration == 3.5
        with composition.copy() as other:
            other.remove_time_range(TimeRange(0, 3))
            assert (composition.duration, other.duration) == (3.5, 0.5)
        composition.insert_empty_time_range(TimeRange(1, 2))
        assert [segment.is_empty for segment in composition.segments(1)].count(True) == 1
        items = [asset[:1], TimeRange(0, 2), asset[:1]]
        inserted = composition.insert_time_ranges(2, items)
        assert inserted.time_range == TimeRange(5.5, 4)
        assert composition.duration == 9.5
        with pytest.raises(ValueError, match="one clip at its own speed"):
            composition.insert_time_ranges(2, [asset[:1].at_speed(2)])
        assert engine.composition(timeline=composition.timeline()).timeline() == (
            composition.timeline()
        )


def test_segments_are_set_and_checked(engine, clip):
    with engine.open(clip) as asset, engine.composition(asset[:2]) as composition:
        first, second = TimeRange(0, 1), TimeRange(1, 2)
        wanted = [
            CompositionSegment(first, TimeRange(2, 1), asset),
            CompositionSegment(second),
        ]
        assert composition.validate_segments(1, wanted) == []
        state = composition.set_segments(1, wanted)
        assert (state.duration, composition.revision) == (3, state.revision)
        shown, empty = composition.segments(1)
        assert (shown.target, shown.source, shown.asset) == (first, TimeRange(2, 1), asset)
        assert (empty.target, empty.is_empty, empty.asset) == (second, True, None)
        composition.set_segments(1, composition.segments(1))
        assert composition.segments(1) == [shown, empty]

        wrong = [CompositionSegment(second, TimeRange(0, 9), asset)]
        problems = composition.validate_segments(1, wrong)
        assert [problem["code"] for problem in problems] == [-11824, -11827]
        with pytest.raises(reelwire.CompositionTrackSegmentsNotContiguousError) as caught:
            composition.set_segments(1, wrong)
        assert len(caught.value.data["errors"]) == 2
        assert "/segments/0/time_mapping/target/start" in str(caught.value)
        assert composition.revision == state.revision + 1


def test_a_part_beyond_the_asset_is_refused(engine, clip):
    with engine.open(clip) as asset:
        with pytest.raises(reelwire.InvalidCompositionTrackSegmentSourceDurationError) as caught:
            engine.composition(asset[3:9])
        assert "/time_range/duration" in str(caught.value)


def test_a_closed_asset_is_still_shown(engine, clip, frames):
    with engine.open(clip) as asset:
        composition = engine.composition(asset[:1])
    with composition, composition.frames("yuv420p") as shown:
        assert shown[-1].packed() == frames[29]
        (segment,) = composition.segments(1)
        assert (segment.asset, segment.path) == (None, str(clip))
        with pytest.raises(ValueError, match="is closed: open it again"):
            composition.set_segments(1, [segment])


def test_the_bytes_of_a_closed_asset_are_listed(engine, clip):
    with engine.open(clip.read_bytes()) as asset:
        composition = engine.composition(asset[:1])
        assert composition.timeline_losses() == []
    with composition:
        (lost,) = composition.timeline_losses()
        assert lost["path"] == "/tracks/0/segments/0/source"
        assert (lost["what"].split(" of ")[0], lost["reason"]) == (
            "the bytes",
            "the asset that supplied them is closed",
        )


def test_a_composition_is_part_of_another(engine, clip, frames):
    with engine.open(clip) as asset, engine.composition(asset[1:3]) as inner:
        with engine.composition(inner[1:] + asset[:1]) as outer:
            inner.remove_time_range(TimeRange(0, 1))
            assert outer.duration == 2
            with outer.frames("yuv420p") as shown:
                assert _shown(shown) == _expected(frames, (2, 3), (0, 1))


def test_a_track_keeps_its_gap(engine, clip, frames):
    with engine.open(clip) as asset, engine.composition(asset[:2]) as composition:
        composition.insert_empty_time_range(TimeRange(1, 1))
        expected = _expected(frames, (0, 1), (1, 2))
        moved = [(frame, time if time < 1 else time + 1) for frame, time in expected]
        with composition.frames("yuv420p") as shown:
            assert _shown(shown) == moved
        assert not composition.audio()[:, 48_000:96_000].any()


def test_sequences_and_documents(engine, clip, cover, tmp_path):
    with engine.open(clip) as asset:
        sequence = {
            "clips": [
                {"asset": asset, "timeRange": TimeRange(1, 2)},
                {"url": str(cover), "duration": MediaTime(3, 2)},
            ]
        }
        with engine.assemble(sequence) as composition:
            assert composition.duration == 3.5
            expanded = engine.expand_sequence(sequence)
            assert expanded["tracks"] == composition.timeline()["tracks"]
            document = composition.open_timeline_io(relative_to=str(clip.parent))["document"]
            timeline = composition.timeline()
    path = clip.parent / "timeline.otio"
    path.write_text(json.dumps(document))
    for source in (path, str(path)):
        with engine.import_composition(source) as composition:
            assert composition.timeline() == timeline
            assert composition.losses == []
    path.unlink()


def _ramped(time):
    """The time of the source: 1/2 s at 1, 1 s from 1 to 1/4 in 8/5 s, and then at 1/4."""
    if time < Fraction(1, 2):
        return time
    if time < Fraction(21, 10):
        since = time - Fraction(1, 2)
        return Fraction(1, 2) + since - Fraction(3, 4) * since**2 / Fraction(16, 5)
    return Fraction(3, 2) + (time - Fraction(21, 10)) / 4


def test_speed_ramps_come_back_and_are_listed(engine, clip, frames, tmp_path):
    ramp = [{"at": 0.5, "speed": 1}, {"at": MediaTime(3, 2), "speed": 0.25}]
    sequence = {"clips": [{"url": str(clip), "timeRange": TimeRange(0, 2), "speedRamp": ramp}]}
    with engine.assemble(sequence) as composition:
        assert composition.duration == MediaTime(41, 10)
        written = composition.open_timeline_io()
        timeline = composition.timeline()
    losses = [loss["path"] for loss in written["losses"] if loss["what"] == "speedRamp"]
    assert losses == [f"/tracks/{n}/segments/0/speedRamp" for n in range(len(timeline["tracks"]))]
    path = tmp_path / "ramp.otio"
    path.write_text(json.dumps(written["document"]))
    with engine.import_composition(path) as composition:
        assert composition.timeline() == timeline
        with composition.frames("yuv420p") as shown:
            images = _shown(shown)
    assert len(images) == 60
    for pixels, time in images:
        assert pixels == frames[int(_ramped(Fraction(time.value, time.timescale)) / FRAME)], time


def test_it_works_with_asyncio(binary, clip, frames, tmp_path):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(clip) as asset:
                clips = asset[1:2] + asset[:1]
                async with await engine.composition(clips) as composition:
                    await composition.load()
                    assert composition.duration == 2
                    assert len(composition.tracks) == 2
                    await composition.append(asset[:1])
                    assert composition.duration == 3
                    async with await composition.frames("yuv420p") as shown:
                        assert len(shown) == 31 + 30 + 30
                        assert (await shown[-1]).packed() == frames[29]
                    segments = await composition.segments(1)
                    assert segments[0].asset is asset
                made = await clips.export(tmp_path / "out.mp4", "LowQuality")
                assert len(_decoded(made.path)) == 31 + 30
                joined = await engine.join(clips, tmp_path / "joined.mp4")
                assert joined.preset == "Passthrough"
            await nothing_left_async(engine)

    run(main())


def test_waveform_and_contact_sheet(engine, clip):
    with engine.open(clip) as asset, engine.composition(asset[1:2] * 2) as composition:
        assert len(composition.waveform(10).channels[0].max) == 10
        with composition.image_generator() as generator:
            assert len(generator.contact_sheet(2, 2).tiles) == 4
        with composition.reader(reelwire.TrackOutput("video", pixel_format="gray")) as reader:
            count = sum(1 for _ in reader.outputs[0].samples())
        assert count == 62
