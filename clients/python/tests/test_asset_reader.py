"""Samples, against the real engine."""

import subprocess
from fractions import Fraction

import pytest
from conftest import all_leased, FRAME, nothing_left, packed, probe
from waiting import HANG

import reelwire
from reelwire import AudioMixOutput, TimeRange, TrackOutput


def test_stored_samples_are_the_packets(engine, clip):
    packets = probe(clip, "-show_packets", "-select_streams", "v:0")["packets"]
    with engine.open(clip) as asset, asset.reader("video") as reader:
        (output,) = reader.outputs
        samples = list(output.samples(delivery="shm"))
        assert len(samples) == len(packets)
        for sample, packet in zip(samples, packets):
            times = (float(packet["pts_time"]), float(packet["dts_time"]))
            assert len(sample.data) == int(packet["size"])
            assert float(sample.presentation_time) == pytest.approx(times[0], abs=1e-6)
            assert float(sample.decode_time) == pytest.approx(times[1], abs=1e-6)
            assert sample.is_sync == ("K" in packet["flags"])
        assert samples[0].format["codec"] == "h264"
        assert reader.status()[0] == "completed"
        del samples, sample


def test_decoded_samples_are_the_frames(engine, clip, frames):
    output = TrackOutput("video", pixel_format="yuv420p")
    with engine.open(clip) as asset, asset.reader(output) as reader:
        times = []
        for number, sample in enumerate(reader.outputs[0].samples(delivery="shm")):
            assert packed(sample) == frames[number]
            times.append(sample.presentation_time)
        assert times == [FRAME * number for number in range(len(frames))]
        del sample


def test_outputs_are_named_by_tracks(engine, clip):
    with engine.open(clip) as asset:
        (video,) = asset.load_tracks("video")
        (audio,) = asset.load_tracks("audio")
        with asset.reader(video, TrackOutput(audio), AudioMixOutput(audio)) as reader:
            stored, coded, mixed = reader.outputs
            assert len(list(stored)) == len(
                probe(clip, "-show_packets", "-select_streams", "v:0")["packets"]
            )
            assert next(iter(coded)).format["mediaType"] == "audio"
            assert next(iter(mixed)).audio["sampleFormat"] == "f32"


def test_a_range_of_decoded_sound(engine, clip):
    output = TrackOutput("audio", sample_format="s16", sample_rate=44100, channels=2)
    with engine.open(clip) as asset, asset.reader(output, time_range=TimeRange(1, 2)) as reader:
        samples = list(reader.outputs[0].samples(batch=64))
    assert {sample.audio["sampleFormat"] for sample in samples} == {"s16"}
    assert sum(sample.audio["frames"] for sample in samples) == pytest.approx(88200, abs=4096)
    assert all(len(sample.data) == 4 * sample.audio["frames"] for sample in samples)
    assert any(any(sample.data) for sample in samples)


def test_a_mix_of_one_track_is_that_track(engine, clip):
    track = TrackOutput("audio", sample_format="f32")
    mix = AudioMixOutput(sample_format="f32")
    with engine.open(clip) as asset, asset.reader(track, mix) as reader:
        alone, mixed = (b"".join(map(bytes, output)) for output in reader.outputs)
    assert alone and mixed == alone


def test_other_ranges_of_an_output(engine, clip, frames):
    output = TrackOutput("video", pixel_format="yuv420p", supports_random_access=True)
    with engine.open(clip) as asset, asset.reader(output) as reader:
        (output,) = reader.outputs
        with pytest.raises(reelwire.ReelwireError):
            output.reset([TimeRange(0, 1)])
        assert [packed(sample) for sample in output] == frames
        output.reset([TimeRange(FRAME * 7, FRAME * 2), TimeRange(FRAME * 50, FRAME)])
        assert not output.ended
        assert [packed(sample) for sample in output] == [frames[n] for n in (7, 8, 50)]
        assert reader.status()[0] == "reading"
        output.mark_configuration_as_final()
        assert reader.status()[0] == "completed"


def test_pictures_as_files_of_their_own(engine, clip):
    output = TrackOutput("video", format="jpeg", quality=0.5, width=64)
    with engine.open(clip) as asset, asset.reader(output) as reader:
        (sample,) = reader.outputs[0].next()
        assert bytes(sample)[:2] == b"\xff\xd8"
        assert sample.to_ndarray().shape == (len(sample.data),)
        del sample


def test_two_outputs_of_one_reader(engine, clip):
    with engine.open(clip) as asset, asset.reader("video", "audio") as reader:
        video, audio = reader.outputs
        assert sum(sample.num_samples for sample in video) == 120
        assert sum(sample.num_samples for sample in audio) > 180


def test_a_reader_waits_for_shared_memory_and_says_so(binary, clip):
    with reelwire.Engine(binary, arguments=["--shm-max", str(1 << 20)]) as engine:
        output = TrackOutput("video", pixel_format="rgba")
        with engine.open(clip) as asset, asset.reader(output) as reader:
            with all_leased(engine, clip), pytest.raises(reelwire.LeasesExhaustedError):
                while reader.outputs[0].next(delivery="shm", timeout=0.05):
                    pass
            assert len(reader.outputs[0].next(delivery="shm", timeout=HANG)) == 1
        nothing_left(engine)


def test_subtitles_as_text(engine, tmp_path):
    script = tmp_path / "cues.srt"
    script.write_text("1\n00:00:00,500 --> 00:00:01,000\n<b>Äpfel</b>\nund Birnen\n", "utf-8")
    path = tmp_path / "cues.mkv"
    video = ["-f", "lavfi", "-i", "testsrc2=d=2:s=64x64:r=5", "-i", str(script)]
    subprocess.run(["ffmpeg", "-v", "error", *video, str(path)], check=True)
    output = TrackOutput("subtitle", text_format="plain")
    with engine.open(path) as asset, asset.reader(output) as reader:
        samples = list(reader.outputs[0])
        assert [sample.text for sample in samples] == ["Äpfel\nund Birnen"]
        assert samples[0].presentation_time == Fraction(1, 2)
        del samples
    nothing_left(engine)
