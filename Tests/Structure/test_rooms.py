"""A room of MediaEngine uses those above it in the table of overview.md, and none below."""

import pytest

from conftest import Tree

ENGINE = "Sources/MediaEngine"
BELOW, ABOVE = f"{ENGINE}/Ground/Values/Below.swift", f"{ENGINE}/Requests/Waveforms/Above.swift"


def test_a_type_of_a_later_room(tree: Tree) -> None:
    tree.write(ABOVE, "struct StructureTestType {}\n")
    tree.write(BELOW, "let structureTestValue: StructureTestType? = nil\n")
    assert tree.reported(BELOW, 1, "Ground/Values uses StructureTestType of Requests/Waveforms")


def test_a_type_of_an_earlier_room(tree: Tree) -> None:
    tree.write(BELOW, "struct StructureTestType {}\n")
    tree.write(ABOVE, "let structureTestValue: StructureTestType? = nil\n")
    assert not tree.reported(ABOVE, 1, "StructureTestType")


def test_a_member_of_an_extension_in_a_later_room(tree: Tree) -> None:
    tree.write(ABOVE, "extension Int {\n  var structureTestMember: Int { self }\n}\n")
    tree.write(BELOW, "func f(number: Int) -> Int {\n  number.structureTestMember\n}\n")
    assert tree.reported(BELOW, 2, "Ground/Values uses .structureTestMember of Requests/Waveforms")


@pytest.mark.parametrize("text", ["// StructureTestType", 'let f = "StructureTestType"'])
def test_comments_and_literals_are_no_use(tree: Tree, text: str) -> None:
    tree.write(ABOVE, "struct StructureTestType {}\n")
    tree.write(BELOW, text + "\n")
    assert not tree.reported(BELOW, 1, "StructureTestType")


def test_a_private_type_is_none_of_the_room(tree: Tree) -> None:
    tree.write(ABOVE, "private struct StructureTestType {}\n")
    tree.write(BELOW, "struct StructureTestType {}\nlet f = StructureTestType()\n")
    assert not tree.reported(BELOW, 2, "StructureTestType")


def test_a_room_that_the_table_lacks(tree: Tree) -> None:
    path = f"{ENGINE}/Unlisted/File.swift"
    tree.write(path, "struct StructureTestType {}\n")
    assert tree.reported(path, 1, "the room Unlisted isn't in docs/overview.md")
