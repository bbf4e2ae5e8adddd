"""Values of options that begin with a minus: of all options that take numbers, times or keys to sort by."""

from __future__ import annotations

import re
from typing import Iterator, List, Tuple

import pytest

from conftest import Program

#: What an option takes, by the name of its value in the help; all other values are files, names and texts.
NUMBERS = {
    *"sensitivity shortest-scene threshold shortest-silence video-track audio-track padding rate quality crf bitrate".split(),
    *"width height fps key-frame-interval rotate audio-bitrate sample-rate channels volume size-limit frames time frame".split(),
    *"every first-number size shorter-than longer-than min-width sort limit loudness true-peak duration max-size crop".split(),
    *"tile-width spacing progress-interval max-message-bytes shm-max drain worker-memory worker-file-size".split(),
    *"worker-deadline worker-stall worker-patience closing-grace watch-delay watch-interval".split(),
    *"columns rows count font-size track start-number end-number max-streams spool-max start end offset since before".split(),
}


def commands(program: Program) -> Iterator[List[str]]:
    for name in re.findall(r"^  ([a-z]+) ", program.ok("--help"), re.M):
        below = re.search(r"^SUBCOMMANDS:\n((?:  .*\n|\n)+)", program.ok(name, "--help"), re.M)
        names = re.findall(r"^  ([a-z]+) ", below[1], re.M) if below else []
        yield from ([name, other] for other in names) if names else [[name]]


def options(program: Program, command: List[str]) -> Iterator[str]:
    """The long names of the options that take such values."""
    text = program.ok(*command, "--help-hidden")
    for names in re.findall(r"^  (-\S.*?<[^>]+>)", text, re.M):
        long = re.findall(r"--([a-z0-9-]+)", names)
        if any(name in NUMBERS for name in long):
            yield long[0]


def test_a_value_may_begin_with_a_minus(program: Program) -> None:
    tried: List[Tuple[List[str], str]] = []
    wrong: List[object] = []
    for command in commands(program):
        for option in options(program, command):
            # Something else may be wrong with it; but it is taken for a value.
            for arguments in ([f"--{option}", "-1"], [f"--{option}=-1"]):
                ended = program(*command, *arguments)
                complaint = ended.stderr.decode()
                if "Missing value" in complaint or "Unknown option" in complaint:
                    wrong.append((command, arguments))
            tried.append((command, option))
    assert not wrong
    assert len(tried) > 90, tried
    assert {option for _, option in tried} == NUMBERS


@pytest.mark.parametrize("form", [["--sort", "-duration"], ["--sort=-duration"]])
def test_a_key_to_sort_by_may_begin_with_a_minus(program: Program, form: List[str]) -> None:
    (program.folder / "media").mkdir(exist_ok=True)
    program.ok("library", "scan", "media", "--database", "library.sqlite")
    program.ok("library", "find", "--database", "library.sqlite", *form)
