"""Exports that bring audio to a loudness, by their results."""

import pytest

import reelwire


def test_the_result_reports_what_was_measured_and_done(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        before = asset.loudness()
        made = asset.export(tmp_path / "a.flac", loudness=-20)
        (track,) = made.loudness
        assert track["sourceIntegratedLoudness"] == pytest.approx(before.integrated_loudness, abs=0.05)
        assert track["gain"] == pytest.approx(-20 - before.integrated_loudness, abs=0.05)
        assert track["integratedLoudness"] == pytest.approx(-20)
        assert "deviation" not in track
        settings = {"video": None, "audio": {"codec": "pcm"}}
        target = {"integratedLoudness": -3, "truePeak": -6}
        limited = asset.export(tmp_path / "b.wav", settings=settings, loudness=target)
        assert limited.loudness[0]["truePeak"] == pytest.approx(-6)
        assert "peaks would exceed -6 dBTP" in limited.loudness[0]["deviation"]
        assert settings == {"video": None, "audio": {"codec": "pcm"}}
    for path, loudness in (("a.flac", -20), ("b.wav", limited.loudness[0]["integratedLoudness"])):
        with engine.open(tmp_path / path) as asset:
            assert asset.loudness().integrated_loudness == pytest.approx(loudness, abs=0.05)


def test_without_a_loudness_nothing_is_measured(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        assert asset.export(tmp_path / "a.wav", "WAV").loudness == []


def test_a_plan_has_the_target(engine, clip, tmp_path):
    with engine.open(clip) as asset, asset.export_session(tmp_path / "a.m4a", loudness=-16) as session:
        planned = [track.get("loudness") for track in session.preflight().tracks]
        assert {"integratedLoudness": -16, "truePeak": -1} in planned


def test_audio_that_is_left_out_has_none(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        with pytest.raises(ValueError, match="leave out"):
            asset.export(tmp_path / "a.mp4", settings={"audio": None}, loudness=-16)
        with pytest.raises(reelwire.ReelwireError, match="nothing together with loudness"):
            asset.export(tmp_path / "a.mp4", settings={"audio": {"volume": 2}}, loudness=-16)
        with pytest.raises(reelwire.ReelwireError, match="as loud as it is"):
            asset.export(tmp_path / "a.mp4", "LowQuality", loudness=-16, resume=True)
    assert list(tmp_path.iterdir()) == []


def test_writers_have_none(engine, tmp_path):
    settings = {"codec": "aac", "loudness": {"integratedLoudness": -16}}
    with pytest.raises(reelwire.ReelwireError, match="only exports measure"):
        engine.asset_writer(tmp_path / "a.m4a", audio=reelwire.AudioInput(settings=settings))
