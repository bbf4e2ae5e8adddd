"""What commands say: times as people write them, and the names that the command line has."""

from __future__ import annotations

from conftest import Program


def test_times_are_in_seconds_and_the_remedy_is_an_option(program: Program) -> None:
    said = program.fails(1, "image", "clip.mp4", "-t", "119/2", "-o", "a.jpg")
    assert "shows no frame at 59.5 s" in said
    assert "from 0 s to 5 s" in said
    assert "--nearest" in said and "tolerance" not in said.splitlines()[-1]


def test_ranges_are_in_seconds(program: Program) -> None:
    said = program.fails(1, "export", "clip.mp4", "a.mp4", "-p", "Passthrough", "--start", "61/2")
    assert "30.5 s" in said and "{" not in said
    assert not (program.folder / "a.mp4").exists()


def test_presets_are_found_in_small_letters(program: Program) -> None:
    program.ok("export", "clip.mp4", "small.mp4", "-p", "passthrough", "-q")
    assert (program.folder / "small.mp4").exists()
    assert "Did you mean 'MediumQuality'?" in program.fails(
        2, "export", "clip.mp4", "b.mp4", "-p", "mediumqualty"
    )


def test_a_copy_that_begins_elsewhere_says_so(program: Program) -> None:
    cut = ["export", "clip.mp4", "--start", "1.3", "--duration", "1", "-p", "Passthrough", "--trim"]
    ended = program(*cut[:2], "early.mp4", *cut[2:], "keyframe")
    assert ended.returncode == 0
    said = ended.stderr.decode()
    assert "not at 1.3 s" in said and "--trim smart" in said
    ended = program(*cut[:2], "exact.mp4", *cut[2:], "smart")
    assert ended.returncode == 0 and "not at" not in ended.stderr.decode()
