"""A doc comment describes parameters that its declaration has."""

import pytest

from conftest import Tree

PATH = "Sources/LibAV/Parameters.swift"
ONE = "/// Reads.\n///\n/// - Parameter count: the number of bytes.\n"
TWO = """\
  /// Reads.
  ///
  /// - Parameters:
  ///   - count: the number of bytes:
  ///     - all: the default.
  ///   - place: an offset.
  /// - Returns: the bytes.
"""


def lines(tree: Tree, text: str) -> list[int]:
    """The lines with a violation of the rule."""
    tree.write(PATH, text)
    return [int(found.split(":")[1]) for found in tree.violations() if "no parameter" in found]


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}func read(count: Int) {{}}",
        f"{ONE}func read(_ count: Int) {{}}",
        f"{ONE}func read(count bytes: Int) {{}}",
        f"{ONE}func read<count>(_ value: count) {{}}",
        f"{ONE}func read<each count: P<Int>, T>(_ value: repeat each count) {{}}",
        f"{ONE}@inlinable @available(macOS 1, *)\npublic static func read(a: (Int, Int) -> Void, count: Int) {{}}",
        f"{ONE}// swift-format-ignore\npackage init?(a: [String: Int] = [:], @A(b) count: Int) {{}}",
        f"{ONE}init<T>(_ a: T, text: String = \",)(\", count: Int)",
        f"{ONE}nonisolated(unsafe) subscript(count: Int) -> Int {{ 1 }}",
        f"{ONE}@freestanding(expression) macro read(count: Int) -> Int",
        f"{ONE}static func < (left: Int, count: Int) -> Bool",
        f"{ONE}static func == <T>(left: T, count: T) -> Bool",
        f"{ONE}indirect case read(Mode, count: Int)".replace("Mode, ", "a: Mode, "),
        f"{TWO}func read(from place: Int, count: Int) {{}}",
        f"{ONE}func read(\n  a: Int,  // one, (two\n  count: Int\n) {{}}",
        # No declaration of parameters, or none that have names.
        f"{ONE}let read: (Int) -> Void",
        f"{ONE}struct Reader {{}}",
        f"{ONE}case read(Int)",
    ],
)
def test_parameters_that_are_there(tree: Tree, text: str) -> None:
    assert lines(tree, text + "\n") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{ONE}func read(bytes: Int) {{}}", [3]),
        (f"{ONE}func read() -> (count: Int)", [3]),
        (f"{ONE}func read(a: (_ count: Int) -> Void, b: [count])", [3]),
        (f"{ONE}public init(bytes: Int)", [3]),
        (f"{ONE}subscript(bytes: Int) -> Int {{ 1 }}", [3]),
        (f"{ONE}case read(bytes: Int)", [3]),
        (f"{ONE}case read", [3]),
        (f"{TWO}func read(from place: Int) {{}}", [4]),
        (f"{TWO}func read(bytes: Int) {{}}", [4, 6]),
        (f"let a = 1\n\n{ONE}\n@MainActor\nfunc read(bytes: Int) {{}}", [5]),
    ],
)
def test_parameters_that_a_declaration_lacks(tree: Tree, text: str, found: list[int]) -> None:
    assert lines(tree, text + "\n") == found
