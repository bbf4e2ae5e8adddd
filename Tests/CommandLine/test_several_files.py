"""Commands for several files: one line for each that can't be read, and the advice once."""

from __future__ import annotations

from conftest import Program


def test_a_line_for_each_file_that_is_probed(program: Program) -> None:
    for name in ("one.mp4", "two.mp4"):
        (program.folder / name).write_text("no movie")
    ended = program("probe", "one.mp4", "clip.mp4", "nothing.mp4", "two.mp4")
    assert ended.returncode == 1
    assert b"clip.mp4: MP4" in ended.stdout
    lines = ended.stderr.decode().splitlines()
    assert lines[0] == "reelwire: 3 of 4 files can't be read"
    names = ("one.mp4", "nothing.mp4", "two.mp4")
    assert [f"'{name}'" in line for name, line in zip(names, lines[1:])] == [True] * 3
    assert "No such file or directory" in lines[2]
    # The advice isn't the same for all.
    assert len(lines) == 4


def test_the_failure_of_one_file_is_as_ever(program: Program) -> None:
    complaint = program("probe", "clip.mp4", "nothing.mp4").stderr.decode()
    assert complaint.splitlines() == [
        "reelwire: Can't open 'nothing.mp4': No such file or directory", "  Check the path.",
    ]


def test_a_line_for_each_part_that_is_joined(program: Program) -> None:
    complaint = program.fails(1, "join", "clip.mp4", "a.mp4", "b.mp4", "a.mp4", "clip.mp4#t=99", "-o", "out.mp4")
    lines = complaint.splitlines()
    assert lines[0] == "reelwire: 3 of 5 parts can't be joined"
    assert [name in line for name, line in zip(("a.mp4", "b.mp4", "clip.mp4#t=99"), lines[1:])] == [True] * 3
    assert not (program.folder / "out.mp4").exists()


def test_an_advice_for_all_is_there_once(program: Program) -> None:
    complaint = program.fails(1, "join", "a.mp4", "b.mp4", "-o", "out.mp4")
    assert complaint.splitlines()[3:] == ["  Check the path."]
