"""The table of advice: each face has a phrasing of each, in words that it has."""

import json
import re
import subprocess
import sys

import adviceoutputs
import advicetable
import pytest
from advicetable import FACES, PLACEHOLDER, AdviceTable
from conftest import DOCUMENT, ROOT
from model import GeneratorError

TABLE = advicetable.load()
ENTRIES = list(TABLE)
SOURCES = ROOT / "Sources"
#: The modules that write advice.
GIVING = ("MediaEngine", "MediaLibrary", "JSONRPC", "EngineProtocol", "EngineServer", "EngineSupervisor")
#: Of documents, which a caller of the shell writes.
MEMBERS_OF_DOCUMENTS = {"colorProperties"}


def text_of(folder, pattern: str, without: tuple = ()) -> str:
    files = [path for path in sorted(folder.rglob(pattern)) if path.name not in without]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def swift_table(path: str) -> dict:
    """The phrasings by the name, as a generated file has them."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.findall(r'case "(\w+)": (#?)"(.*)"\2$', text, re.M)
    return {name: phrasing for name, _, phrasing in found}


def phrasings(face: str) -> dict:
    """All phrasings of a face, from the file that the face uses."""
    if face == "wire":
        return swift_table("Sources/EngineProtocol/Generated/AdviceTable.swift")
    if face == "shell":
        return swift_table("Sources/reelwire/Generated/ShellPhrasings.swift")
    if face == "mcp":
        return swift_table("Sources/EngineMCP/Generated/ToolPhrasings.swift")
    if face == "python":
        code = "import json; from reelwire.advice import PHRASINGS; print(json.dumps(PHRASINGS))"
        command = [sys.executable, "-c", code]
    else:
        code = "import('./advice.js').then((it) => console.log(JSON.stringify(it.phrasings)))"
        command = ["node", "-e", code]
    folder = ROOT / ("clients/python/src" if face == "python" else "clients/node/src")
    return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)


# Completeness


def test_the_tools_have_phrasings_of_advice_that_there_is():
    """In their own terms where the protocol's are others; the arguments that they have are there."""
    found = phrasings("mcp")
    assert set(found) < set(DOCUMENT["x-advice"]) and len(found) > 30
    for name, phrasing in found.items():
        placeholders = {key for key, _ in PLACEHOLDER.findall(phrasing)}
        assert placeholders <= set(DOCUMENT["x-advice"][name]["arguments"]), name
        assert phrasing != DOCUMENT["x-advice"][name]["hint"] and phrasing[-1] == ".", name


@pytest.mark.parametrize("face", ["wire", "shell", "python", "node"])
def test_each_face_has_each_advice_with_all_its_arguments(face):
    found = phrasings(face)
    assert set(found) == set(DOCUMENT["x-advice"]) and len(found) > 250
    for name, advice in DOCUMENT["x-advice"].items():
        placeholders = {key for key, _ in PLACEHOLDER.findall(found[name])}
        assert placeholders == set(advice["arguments"]), name
        assert found[name][-1] in ".?", name


def test_swift_has_the_engines_advice_with_all_its_arguments():
    text = (ROOT / "Sources/MediaEngine/Ground/Errors/AdvicePhrasings.swift").read_text()
    found = {name: rest for name, rest in re.findall(r"case \.(\w+)(.*)$", text, re.M)}
    assert set(found) == {advice.name for advice in TABLE.of("engine")} | {"text"}
    for advice in TABLE.of("engine"):
        for key in advice.arguments:
            assert f"let {key}" in found[advice.name]
            assert re.search(rf"\\#?\({key}\b", found[advice.name]), advice.name


def test_each_error_code_has_advice():
    assert set(TABLE.codes) == set(DOCUMENT["components"]["errors"])


@pytest.mark.parametrize("face", FACES)
def test_advice_without_a_phrasing_is_refused(face):
    members = {other: "Do {this}." for other in FACES if other != face}
    with pytest.raises(GeneratorError, match=f"doThis has no phrasing for {face}"):
        advicetable.entry("doThis", "engine", {"arguments": {"this": "text"}, **members})


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"all": "Do it.", "arguments": {"this": "text"}}, "has other arguments"),
        ({"all": "Do {this}."}, "has other arguments"),
        ({"all": "Do {this}.", "python": "Do it.", "arguments": {"this": "text"}}, "for python"),
        ({"all": "Do {this}.", "arguments": {"this": "number"}}, "no type"),
        ({"all": "Do {this|or}.", "arguments": {"this": "text"}}, "as a list"),
        ({"all": "Do it.", "perl": "Do it."}, "unknown keys: perl"),
        ({"all": "Do {this}.", "arguments": {"this": "text"}, "codes": ["unknown"]}, "a code"),
    ],
)
def test_advice_that_is_wrong_is_refused(members, complaint):
    with pytest.raises(GeneratorError, match=complaint):
        advicetable.entry("doThis", "engine", members)


def test_a_name_or_a_code_that_is_there_twice_is_refused():
    one = advicetable.entry("doThis", "engine", {"all": "Do it.", "codes": ["unknown"]})
    with pytest.raises(GeneratorError, match="twice"):
        AdviceTable([one, one])
    other = advicetable.entry("doThat", "engine", {"all": "Do it.", "codes": ["unknown"]})
    with pytest.raises(GeneratorError, match="unknown has two"):
        AdviceTable([one, other])


def test_what_is_generated_is_of_the_table():
    for path, text in adviceoutputs.swift_files(TABLE).items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, path


def test_no_source_has_advice_that_is_in_no_table():
    """Advice in a phrasing of its own would reach each caller in the same phrasing."""
    own = {"Advice.swift", "AdvicePhrasings.swift", "EngineError.swift", "RPCError.swift", "ErrorObject.swift"}
    for target in GIVING:
        for path in sorted((SOURCES / target).rglob("*.swift")):
            if path.name in own:
                continue
            text = path.read_text(encoding="utf-8")
            assert not re.search(r'\bhint:\s*"|\.hint = |[Aa]dvice(:|\.| =) ?\.?text\(', text), path


def test_all_advice_is_given():
    without = ("Advice.swift", "AdvicePhrasings.swift", "AdviceTable.swift", "RPCAdvice.swift")
    text = "\n".join(text_of(SOURCES / target, "*.swift", without) for target in GIVING)
    unused = [
        advice.name
        for advice in ENTRIES
        if not advice.codes and not re.search(rf"\.{advice.name}\b", text)
    ]
    assert unused == []


# Vocabulary


def options() -> set:
    """The options of all commands."""
    text = text_of(SOURCES / "reelwire", "*.swift")
    names = re.findall(r"@(?:Option|Flag)\b[^@]*?\bvar (\w+)", text)
    words = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower() for name in names]
    return set(words) | set(re.findall(r'customLong\("([\w-]+)"', text))


def members(schema) -> set:
    """The names of members, and of values that have names, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(members, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    named = set(schema.get("properties", {})) | {str(value) for value in schema.get("enum", [])}
    if isinstance(schema.get("name"), str):
        named.add(schema["name"])
    return named.union(*(members(value) for value in schema.values()))


METHODS = {method["name"] for method in [*DOCUMENT["methods"], *DOCUMENT["x-notifications"]]}
METHOD = re.compile(r"(?<![\w/.'-])(?:[a-z]\w*/[a-z]\w*|rpc\.discover)")
CAMEL = re.compile(r"(?<![\w'-])[a-z]+[A-Z]\w*")
#: In the name of a character set, and in prose.
NO_METHODS = {"i/o", "and/or"}


def plain(phrasing: str) -> str:
    return PLACEHOLDER.sub("", phrasing)


def test_the_wire_is_told_of_methods_and_members():
    known = members(DOCUMENT) | {"libav", "log", "stage", "errors"}
    for advice in ENTRIES:
        phrasing = plain(advice.phrasings["wire"])
        assert set(METHOD.findall(phrasing)) - NO_METHODS <= METHODS, phrasing
        assert set(CAMEL.findall(METHOD.sub("", phrasing))) <= known, phrasing


def test_the_shell_is_told_of_commands_and_options():
    known = options()
    assert {"file-type", "crf", "salvage", "tile-width"} <= known
    commands = {"probe", "doctor", "methods", "call", "play", "record"}
    for advice in ENTRIES:
        phrasing = plain(advice.phrasings["shell"])
        assert set(re.findall(r"(?<![\w-])--([a-z][\w-]*)", phrasing)) <= known, phrasing
        assert set(re.findall(r"'reelwire (\w+)", phrasing)) <= commands, phrasing
        called = set(re.findall(r"'reelwire call ([\w/]+)'", phrasing))
        assert called <= METHODS
        rest = re.sub(r"'reelwire call [\w/]+'", "", phrasing)
        assert not METHOD.findall(rest) and "data." not in rest, phrasing
        assert set(CAMEL.findall(rest)) <= MEMBERS_OF_DOCUMENTS, phrasing


@pytest.mark.parametrize(
    ("face", "folder", "pattern", "word"),
    [
        ("python", "clients/python/src/reelwire", "*.py", r"\b[a-z]+_\w+|\b[a-z]\w*(?=\()"),
        ("node", "clients/node/src", "*.*s", r"\b[a-z]+[A-Z]\w*|\b[a-z]\w*(?=\()"),
    ],
)
def test_clients_are_told_of_what_they_have(face, folder, pattern, word):
    text = text_of(ROOT / folder, pattern, ("advice.py", "advice.js"))
    for advice in ENTRIES:
        phrasing = plain(advice.phrasings[face])
        assert not set(METHOD.findall(phrasing)) & METHODS, phrasing
        for name in re.findall(word, re.sub(r"'[^']*'|\"[^\"]*\"", "", phrasing)):
            assert re.search(rf"\b{name}\b", text), phrasing


def test_swift_is_told_of_what_it_has():
    text = text_of(SOURCES / "MediaEngine", "*.swift", ("Advice.swift", "AdvicePhrasings.swift"))
    for advice in TABLE.of("engine"):
        phrasing = plain(advice.phrasings["swift"])
        assert not set(METHOD.findall(phrasing)) & METHODS, phrasing
        for name in CAMEL.findall(phrasing):
            assert re.search(rf"\b{name}\b", text), phrasing
