"""Names and prose use the field's terms; the terms to avoid are in .ci/coinages.txt."""

import pytest

from conftest import Tree, structure

SWIFT, PYTHON = "Sources/MediaEngine/Reading/Readers/Terms.swift", "clients/python/src/reelwire/terms.py"
SCRIPT, DOCUMENT = "clients/node/src/terms.js", "docs/notes/terms.md"


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        (SWIFT, "let soundLayout = 1", "'sound' in the name soundLayout"),
        (SWIFT, "func write(longestName: Int) {}", "'longest' in the name longestName"),
        (SWIFT, "struct TrackWording {}", "'Wording' in the name TrackWording"),
        (PYTHON, "sound_layout = 1", "'sound' in the name sound_layout"),
        (PYTHON, "_MOST = 1", "'MOST' in the name _MOST"),
        (SCRIPT, "const isRoomy = true", "'Roomy' in the name isRoomy"),
    ],
)
def test_names(tree: Tree, path: str, text: str, part: str) -> None:
    tree.write(path, text + "\n")
    assert tree.reported(path, 1, part)


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        (SWIFT, "/// What the file says of its sound.", "'says' in prose"),
        (SWIFT, "let a = 1  // Nobody reads it.", "'Nobody' in prose"),
        (SWIFT, "/* Told apart by\n   their type. */", "'Told' in prose"),
        (PYTHON, '"""The packets of sound."""', "'sound' in prose"),
        (PYTHON, "a = 1  # in FFmpeg's words", "'words' in prose"),
        (SCRIPT, "/** What a container keeps. */", "'container keeps' in prose"),
        (DOCUMENT, "A straddler is cut.", "'straddler' in prose"),
        ("README.md", "The file tells.", "'tells' in prose"),
    ],
)
def test_prose(tree: Tree, path: str, text: str, part: str) -> None:
    tree.write(path, text + "\n")
    assert tree.reported(path, 1, part)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        # Part of a longer word, a literal, code in prose.
        (SWIFT, "let resounding = 1"),
        (SWIFT, 'let name = "sound"'),
        (SWIFT, "// `sound` is a name of the wire."),
        (DOCUMENT, "The key `words`.\n\n```\nnobody says a word\n```"),
        (PYTHON, "name = 'told'"),
    ],
)
def test_what_is_neither(tree: Tree, path: str, text: str) -> None:
    tree.write(path, text + "\n")
    assert not tree.reported(path, 1, "")


def test_an_exception_holds_for_its_files_only(tree: Tree) -> None:
    other = "Sources/MediaEngine/Reading/Readers/Sched.swift"
    scheduler = "Sources/MediaEngine/Writing/Encoding/InterleavingScheduler.swift"
    for path in (scheduler, other):
        tree.write(path, "let maximumLead = 1\n")
    assert tree.reported(other, 1, "'Lead' in the name maximumLead")
    assert not tree.reported(scheduler, 1, "")


BUDGETED = f"{structure.terms().budgets[0][0]}/Budget.swift"


def budgeted(tree: Tree) -> list[str]:
    """The reported violations of the budgets: the tree lacks much else."""
    return [found for found in tree.violations() if found.startswith(BUDGETED.rpartition("/")[0])]


def test_a_clause_in_place_of_a_noun(tree: Tree) -> None:
    comment = "// Returns the bytes of the packet.\n" * 100 + "// Returns what is left.\n"
    tree.write(BUDGETED, comment)
    assert not budgeted(tree)
    tree.write(BUDGETED, comment + "// Returns what was read, and what is there.\n")
    (found,) = budgeted(tree)
    assert "times in 1,000 words" in found


@pytest.mark.parametrize("word", ["What", "Whether", "How", "Where"])
def test_a_doc_comment_that_begins_with_a_question_word(tree: Tree, word: str) -> None:
    docs = "/// Returns a packet.\n" * 300
    tree.write(BUDGETED, f"{docs}/// {word} it is read by is stated.\nlet a = 1\n")
    assert not budgeted(tree)
    tree.write(BUDGETED, f"{docs}let a = 1\n\n/// {word} it reads.\nlet b = 1\n")
    assert tree.reported(BUDGETED, 303, f"begins with '{word}'")
