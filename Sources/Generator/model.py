"""The protocol as the Swift compiler saw it: messages, types and their documentation."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Tuple

MODULE = "EngineProtocol"
INTEGERS = {"Int", "Int32", "Int64", "UInt32", "UInt64"}


class GeneratorError(Exception):
    """A declaration that the generator cannot express."""


@dataclass(frozen=True)
class TypeExpression:
    """A Swift type: `kind` is optional, array, dictionary or named."""

    kind: str
    name: str = ""
    arguments: Tuple["TypeExpression", ...] = ()

    def substituting(self, bindings: Dict[str, "TypeExpression"]) -> "TypeExpression":
        if self.kind == "named" and self.name in bindings:
            return bindings[self.name]
        arguments = tuple(argument.substituting(bindings) for argument in self.arguments)
        return TypeExpression(self.kind, self.name, arguments)

    @property
    def unwrapped(self) -> "TypeExpression":
        return self.arguments[0] if self.kind == "optional" else self


@dataclass
class Doc:
    """A documentation comment without its fixed forms."""

    summary: str = ""
    discussion: List[str] = field(default_factory=list)
    default: Optional[Any] = None
    constant: Optional[Any] = None
    errors: List[str] = field(default_factory=list)
    #: Of the name of a file or a folder: ``read`` of media, ``written`` of files that the engine makes, or ``folder``
    #: of a library's.
    path: Optional[str] = None
    schema: Optional[Dict[str, Any]] = None
    schema_in: Optional[Dict[str, Any]] = None

    @property
    def text(self) -> str:
        return " ".join([self.summary, *self.discussion]).strip()


@dataclass
class Member:
    """A stored property, or a case of an enumeration (which has no type)."""

    name: str
    doc: Doc
    type: Optional[TypeExpression] = None


@dataclass
class Declaration:
    """A struct or an enumeration of the protocol."""

    name: str
    kind: str
    doc: Doc
    generics: List[str]
    members: List[Member]
    order: Tuple[str, int]

    @property
    def is_string(self) -> bool:
        return any(member.name == "rawValue" for member in self.members)

    @property
    def is_enumeration(self) -> bool:
        return self.kind == "enum" and self.doc.schema is None


@dataclass
class Message:
    """A request or a notification; `sender` is client or server."""

    method: str
    sender: str
    declaration: Declaration
    result: Optional[TypeExpression] = None
    #: The kinds of the new objects in the result.
    objects: List[str] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        name = re.split(r"[/.]", self.method)[0]
        return name if re.search(r"[/.]", self.method) and name not in ("$", "rpc") else "engine"


@dataclass
class ErrorCode:
    code: int
    name: str
    hint: str
    doc: str


@dataclass
class Protocol:
    requests: List[Message]
    client_notifications: List[Message]
    server_notifications: List[Message]
    errors: List[ErrorCode]
    declarations: Dict[str, Declaration]

    @property
    def messages(self) -> Iterator[Message]:
        yield from self.requests
        yield from self.client_notifications
        yield from self.server_notifications

    def declaration(self, name: str) -> Declaration:
        if name not in self.declarations:
            raise GeneratorError(f"no declaration of {name}")
        return self.declarations[name]

    def resolve_links(self, text: str) -> str:
        """``TypeName`` becomes the method of that message, or the type's wire name."""
        methods = {message.declaration.name: message.method for message in self.messages}

        def name(match: "re.Match[str]") -> str:
            target = match.group(1)
            if target not in methods and target not in self.declarations:
                raise GeneratorError(f"a comment refers to {target}, which does not exist")
            return "`" + methods.get(target, wire_name(target)) + "`"

        return re.sub(r"``([\w.]+)``", name, text)


def wire_name(name: str) -> str:
    """The name that readers and clients see: `WireTime` is `Time`."""
    return (
        name.replace("Wire", "", 1).replace(".", "")
        if name.startswith("Wire")
        else name.replace(".", "")
    )


def parse_type(text: str) -> TypeExpression:
    """Parses the text of a Swift type; module names are dropped."""
    text = re.sub(r"\b(EngineProtocol|JSONRPC|MediaTime|Swift)\.", "", text.strip())
    tokens = re.findall(r"[\w.]+|[\[\]<>:,?]", text)
    position = 0

    def take(token: str) -> None:
        nonlocal position
        if position >= len(tokens) or tokens[position] != token:
            raise GeneratorError(f"expected {token} in the type {text}")
        position += 1

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def parse() -> TypeExpression:
        nonlocal position
        if peek() == "[":
            take("[")
            element = parse()
            if peek() == ":":
                take(":")
                result = TypeExpression("dictionary", arguments=(element, parse()))
            else:
                result = TypeExpression("array", arguments=(element,))
            take("]")
        else:
            name = peek()
            position += 1
            arguments: List[TypeExpression] = []
            if peek() == "<":
                take("<")
                arguments.append(parse())
                while peek() == ",":
                    take(",")
                    arguments.append(parse())
                take(">")
            result = TypeExpression("named", name, tuple(arguments))
        while peek() == "?":
            take("?")
            result = TypeExpression("optional", arguments=(result,))
        return result

    result = parse()
    if position != len(tokens):
        raise GeneratorError(f"cannot read the type {text}")
    return result


def parse_doc(lines: List[str], subject: str) -> Doc:
    """Splits a comment into its summary, its paragraphs and its fixed forms."""
    doc = Doc()
    text = "\n".join(lines)

    def take_schema(match: "re.Match[str]") -> str:
        try:
            value = json.loads(match.group(2))
        except ValueError as error:
            raise GeneratorError(f"{subject}: the schema is no JSON: {error}") from error
        if match.group(1) == "schema":
            doc.schema = value
        else:
            doc.schema_in = value
        return ""

    text = re.sub(r"```(schema|schema-in)\n(.*?)```", take_schema, text, flags=re.S)
    paragraphs: List[str] = []
    for block in re.split(r"\n\s*\n|\n(?=- )", text):
        paragraph = " ".join(block.split())
        form = re.fullmatch(r"- (Default|Constant|Errors|Path): (.*)", paragraph)
        if form is None:
            paragraphs += [paragraph] if paragraph else []
            continue
        values = re.findall(r"`([^`]*)`", form.group(2))
        if form.group(1) == "Errors":
            doc.errors = values
        elif form.group(1) == "Path":
            if values not in (["read"], ["written"], ["folder"]):
                raise GeneratorError(f"{subject}: a path is read, written or folder")
            doc.path = values[0]
        elif form.group(1) == "Default":
            doc.default = json.loads(values[0])
        else:
            doc.constant = json.loads(values[0])
    if paragraphs:
        summary, _, rest = paragraphs[0].partition(". ")
        doc.summary = summary if summary.endswith(".") or not rest else summary + "."
        doc.discussion = ([rest] if rest else []) + paragraphs[1:]
    return doc


LISTS = {
    "requests": ("RequestType", "has no handler, or is no EngineRequest"),
    "clientNotifications": ("NotificationType", "is in no list of Messages.swift"),
    "serverNotifications": ("NotificationType", "is in no list of Messages.swift"),
}


def unlisted(symbol_graphs: List[Dict[str, Any]], listing: Dict[str, Any]) -> List[str]:
    """A line for each message that is declared and not served, or served and not declared."""
    found: List[str] = []
    for protocol, complaint in dict(LISTS.values()).items():
        listed = {
            entry["type"]
            for name, (kind, _) in LISTS.items()
            if kind == protocol
            for entry in listing[name]
        }
        for graph in symbol_graphs:
            names = {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]}
            module = graph["module"]["name"]
            declared = {
                ".".join([module, *names[relation["source"]]["pathComponents"]])
                for relation in graph["relationships"]
                if relation["kind"] == "conformsTo"
                and relation.get("targetFallback", relation["target"]).endswith(f".{protocol}")
                and names.get(relation["source"], {}).get("kind", {}).get("identifier")
                == "swift.struct"
            }
            found += [f"{name} is declared and {complaint}" for name in sorted(declared - listed)]
    handled = set(listing["handlers"])
    read = [*listing["requests"], *listing["clientNotifications"]]
    methods = [entry["method"] for entry in read]
    found += [f"{name} is listed and has no handler" for name in methods if name not in handled]
    found += [f"{name} has a handler and is not listed" for name in handled.difference(methods)]
    return found


def load(symbol_graphs: List[Dict[str, Any]], listing: Dict[str, Any]) -> Protocol:
    """Joins the compiler's symbol graphs with the binary's list of methods."""
    problems = unlisted(symbol_graphs, listing)
    if problems:
        raise GeneratorError("\n".join(problems))
    declarations: Dict[str, Declaration] = {}
    messages = [entry for name in LISTS for entry in listing[name]]
    borrowed = {tuple(entry["type"].split(".")) for entry in messages}
    symbols = sorted(
        (
            symbol
            for graph in symbol_graphs
            for symbol in graph["symbols"]
            # Of other modules only the messages themselves belong to the protocol.
            if graph["module"]["name"] == MODULE
            or (graph["module"]["name"], symbol["pathComponents"][0]) in borrowed
        ),
        key=_order,
    )
    for symbol in symbols:
        kind = symbol["kind"]["identifier"]
        if kind in ("swift.struct", "swift.enum"):
            name = ".".join(symbol["pathComponents"])
            generics = [p["name"] for p in symbol.get("swiftGenerics", {}).get("parameters", [])]
            declarations[name] = Declaration(
                name, kind[6:], _doc(symbol), generics, [], _order(symbol)
            )
    for symbol in symbols:
        path = symbol["pathComponents"]
        owner = declarations.get(".".join(path[:-1]))
        kind = symbol["kind"]["identifier"]
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        if owner is None:
            continue
        if kind == "swift.enum.case":
            owner.members.append(Member(path[-1], _doc(symbol)))
        elif kind == "swift.property" and owner.kind == "struct" and "{" not in text:
            type_text = text.split(": ", 1)[1]
            owner.members.append(Member(path[-1], _doc(symbol), parse_type(type_text)))

    def message(entry: Dict[str, Any], sender: str) -> Message:
        name = entry["type"].split(".", 1)[1]
        if name not in declarations:
            raise GeneratorError(f"{entry['method']}: no declaration of {name}")
        result = parse_type(entry["result"]) if entry.get("result") else None
        objects = entry.get("objects", [])
        return Message(entry["method"], sender, declarations[name], result, objects)

    codes = {member.name: member.doc for member in declarations["ErrorCode"].members}
    return Protocol(
        [message(entry, "client") for entry in listing["requests"]],
        [message(entry, "client") for entry in listing["clientNotifications"]],
        [message(entry, "server") for entry in listing["serverNotifications"]],
        [
            ErrorCode(entry["code"], entry["name"], entry["hint"], codes[entry["name"]].text)
            for entry in listing["errors"]
        ],
        declarations,
    )


def _order(symbol: Dict[str, Any]) -> Tuple[str, int]:
    location = symbol.get("location")
    if location is None:
        return ("", 0)
    return (location["uri"].rsplit("/", 1)[-1], location["position"]["line"])


def _doc(symbol: Dict[str, Any]) -> Doc:
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    return parse_doc(lines, ".".join(symbol["pathComponents"]))
