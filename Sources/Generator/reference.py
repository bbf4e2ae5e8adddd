"""The page of methods, notifications and error codes, and the page of the types that it links to."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional

from model import (
    INTEGERS,
    Declaration,
    GeneratorError,
    Member,
    Message,
    Protocol,
    TypeExpression,
    wire_name,
)
from openrpc import REPLIES, STARTED, error_names
from pages import END, contents, slug

PAGE, TYPES = "docs/protocol-reference.md", "docs/protocol-types.md"
# The guides, which are written by hand.
PROTOCOL, EXPORTS = "protocol.md", "docs/exports.md"
BASIC = {
    "String": "string",
    "Bool": "boolean",
    "Double": "number",
    "RawJSON": "object",
    "Base64Data": "base64 string",
}
# The headings of the guides that explain the methods of a namespace; of protocol.md, but for EXPORTED.
GUIDES = {
    "engine": "Engine",
    "handle": "Handles",
    "blob": "Bytes",
    "asset": "Asset",
    "resource": "Resource",
    "track": "Track",
    "composition": "Composition",
    "videoComposition": "Video composition",
    "audioMix": "Audio mixes",
    "imageGenerator": "Image generator",
    "exportSession": "Export session",
    "assetReader": "Asset reader",
    "assetWriter": "Asset writer",
    "sampleCursor": "Sample cursor",
    "waveform": "Waveform",
    "analysis": "Analysis",
    "player": "Playback",
    "playerItem": "Playback",
    "timeObserver": "Playback",
    "videoOutput": "Playback",
    "playerLooper": "Playback",
    "audioPlayer": "Playback",
    "capture": "Capture",
    "captureSession": "Capture",
    "captureOutput": "Capture",
    "audioRecorder": "Capture",
    "library": "Library",
    "fetchResult": "Library",
    "libraryItem": "Library",
    "time": "Time arithmetic",
    "timeRange": "Time arithmetic",
}
EXPORTED = {"exportSession"}
COMMON_ERRORS = {"invalidParams", "unknownHandle", "wrongHandleKind"}


class Reference:
    """Writes Markdown; links go to headings by GitHub's rules."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.lines: List[str] = []
        # By type, links from the page of types to types and methods with members of that type.
        self.users: Dict[str, List[str]] = {}
        self.user = ""
        self.is_types_page = False

    def write(self, advice: List[str]) -> str:
        """The page of the methods and of the error codes; the lines of its section of advice end it."""
        namespaces: Dict[str, List[Message]] = {"engine": [], "handle": [], "blob": []}
        for message in self.protocol.messages:
            namespaces.setdefault(message.namespace, []).append(message)
        for namespace, messages in namespaces.items():
            if namespace not in GUIDES:
                raise GeneratorError(f"no guide has a section about the namespace {namespace}")
            guide = GUIDES[namespace]
            page = _name(EXPORTS) if namespace in EXPORTED else f"../{PROTOCOL}"
            link = page if namespace in EXPORTED else f"{page}#{slug(guide)}"
            self.lines += ["", f"## Namespace {namespace}", ""]
            self.lines.append(f"How to use it: [{guide}]({link}).")
            for message in messages:
                self.user = f"[{message.method}]({_name(PAGE)}#{slug(message.method)})"
                self._message(message)
        self._errors()
        body = "\n".join([*self.lines, *advice]) + "\n"
        return (
            "# The methods of the protocol\n\n"
            f"Every method, notification and error code of [the protocol](../{PROTOCOL}), derived from "
            "the\ndeclarations in `Sources/EngineProtocol`. "
            f"The types are on [a page of their own]({_name(TYPES)}).\n"
            "Every request can fail with `invalidParams`, and one with a handle with "
            "`unknownHandle` or\n`wrongHandleKind`; each method names its further errors.\n\n"
            f"<!-- contents -->\n{contents(body, inline=True)}\n{END}\n{body}"
        )

    def types(self) -> str:
        """The page of types: every type that the methods link to, and those that these link to in turn.

        Types stand in the order of their declarations, those of one noun together.
        """
        self.is_types_page = True
        done: Dict[str, List[str]] = {}
        files: List[str] = []
        while waiting := sorted(
            set(self.users) - set(done), key=lambda name: self.protocol.declaration(name).order
        ):
            for name in waiting:
                declaration = self.protocol.declaration(name)
                if declaration.order[0] not in files:
                    files.append(declaration.order[0])
                self.lines = []
                self.user = f"[{wire_name(name)}](#{slug(wire_name(name))})"
                self._type_section(declaration)
                done[name] = self.lines
        self.lines = []
        order = {name: self.protocol.declaration(name).order for name in done}
        for file in sorted(files):
            self.lines += [f"## {_title(file)} types", ""]
            names = [name for name in done if order[name][0] == file]
            for name in sorted(names, key=lambda name: order[name]):
                self.lines += [f"### {wire_name(name)}", "", *done[name]]
                itself = f"[{wire_name(name)}]"
                users = [user for user in self.users[name] if not user.startswith(itself)]
                if users:
                    self.lines += ["Used by " + ", ".join(users) + ".", ""]
        body = "\n".join(self.lines[:-1]) + "\n"
        return (
            "# The types of the protocol\n\n"
            f"The types of the params, results and notifications of [the protocol](../{PROTOCOL}), "
            "derived from the\ndeclarations in `Sources/EngineProtocol`. Below each type are the "
            "methods and types that use it.\n\n"
            f"<!-- contents -->\n{contents(body, inline=True)}\n{END}\n\n{body}"
        )

    def _message(self, message: Message) -> None:
        declaration = message.declaration
        is_notification = message.result is None
        self.lines += ["", f"### {message.method}", ""]
        if is_notification:
            self.lines += [f"*Notification from the {message.sender}.*", ""]
        self._prose(declaration)
        if declaration.members:
            self._members(declaration.members, reads=message.sender == "client")
        elif not is_notification:
            self.lines += ["Params: none.", ""]
        if message.result is not None:
            self._result(message.result)
        names = [n for n in error_names(self.protocol, message) if n not in COMMON_ERRORS]
        if names and not is_notification:
            self.lines += ["Errors: " + ", ".join(f"`{name}`" for name in names) + ".", ""]
        self.lines.pop()

    def _result(self, result: TypeExpression) -> None:
        if result.name in REPLIES:
            members = "operation" if REPLIES[result.name] == STARTED else "operation, revision"
            ending = self.protocol.declaration(result.arguments[0].name)
            method = next(
                m.method for m in self.protocol.server_notifications if m.declaration is ending
            )
            link = f"[{method}](#{slug(method)})"
            self.lines += [
                f"Result: `{{{members}}}`; the work ends with {link}. With `completion` "
                f'`"response"` the result is the params of that notification.',
                "",
            ]
        elif result.name == "EmptyResult":
            self.lines += ["Result: `{}`.", ""]
        elif result.name == "NullResult":
            self.lines += ["Result: `null`.", ""]
        elif result.name in BASIC:
            self.lines += [f"Result: an {BASIC[result.name]}.", ""]
        else:
            declaration = self.protocol.declaration(result.name)
            self.lines += ["Result:", ""]
            self._members(declaration.members, reads=False)

    def _prose(self, declaration: Declaration) -> None:
        for paragraph in [declaration.doc.summary, *declaration.doc.discussion]:
            self.lines += [self.protocol.resolve_links(paragraph), ""]

    def _members(self, members: List[Member], reads: bool) -> None:
        """Members that the server reads have defaults; those that it writes may be absent."""
        self.lines += [
            "| name | type | default | |" if reads else "| name | type | | |",
            "|---|---|---|---|",
        ]
        for member in members:
            assert member.type is not None
            if member.type.kind != "optional":
                presence = "required" if reads else ""
            elif member.doc.default is not None:
                presence = f"`{json.dumps(member.doc.default)}`"
            else:
                presence = "" if reads else "optional"
            text = self.protocol.resolve_links(member.doc.text)
            kind = self._type(member.type, member.doc.constant)
            cells = [f"`{member.name}`", kind, presence, text]
            self.lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        self.lines.append("")

    def _type(self, type: TypeExpression, constant: Optional[str] = None) -> str:
        if constant is not None:
            return f"`{json.dumps(constant)}`"
        if type.kind == "optional":
            return self._type(type.arguments[0])
        if type.kind == "array":
            return f"array of {self._type(type.arguments[0])}"
        if type.kind == "dictionary":
            return f"object of {self._type(type.arguments[1])}"
        if type.name in INTEGERS:
            return "integer"
        if type.name in BASIC:
            return BASIC[type.name]
        if type.name not in self.protocol.declarations:
            return "any"
        link = self._type_link(type.name)
        arguments = " of ".join(self._type(argument) for argument in type.arguments)
        return f"{link} of {arguments}" if arguments else link

    def _type_section(self, declaration: Declaration) -> None:
        self._prose(declaration)
        if declaration.doc.schema is not None:
            self._written_schema(declaration.doc.schema)
        elif declaration.is_string:
            self.lines += ["A string.", ""]
        elif declaration.is_enumeration:
            self.lines += ["| value | |", "|---|---|"]
            for member in declaration.members:
                text = self.protocol.resolve_links(member.doc.text)
                self.lines.append(f'| `"{member.name}"` | {text} |')
            self.lines.append("")
        elif declaration.members:
            self._members(declaration.members, reads=self._is_read(declaration))

    def _type_link(self, swift_name: str) -> str:
        users = self.users.setdefault(swift_name, [])
        if self.user not in users:
            users.append(self.user)
        name = wire_name(swift_name)
        return f"[{name}]({'' if self.is_types_page else _name(TYPES)}#{slug(name)})"

    def _written_schema(self, schema: Dict[str, Any]) -> None:
        forms = schema.get("anyOf", [schema])
        if len(forms) > 1:
            self.lines += ["One of " + ", ".join(self._form(form) for form in forms) + ".", ""]
        for form in forms:
            if "properties" not in form:
                continue
            self.lines += ["| name | type | | |", "|---|---|---|---|"]
            for name, member in form["properties"].items():
                presence = "" if name in form.get("required", []) else "optional"
                cells = [f"`{name}`", self._form(member), presence, member["description"]]
                self.lines.append("| " + " | ".join(cells) + " |")
            self.lines.append("")

    def _form(self, schema: Dict[str, Any]) -> str:
        """A short form of a schema."""
        if "$ref" in schema:
            return self._type(TypeExpression("named", schema["$ref"]))
        if "enum" in schema:
            return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
        if "anyOf" in schema:
            return " or ".join(self._form(form) for form in schema["anyOf"])
        if "properties" in schema:
            return "`{" + ", ".join(schema["properties"]) + "}`"
        if "items" in schema:
            return f"array of {self._form(schema['items'])}"
        return str(schema["type"])

    def _is_read(self, declaration: Declaration) -> bool:
        return any(member.doc.default is not None for member in declaration.members)

    def _errors(self) -> None:
        self.lines += ["", "## Error codes", "", "| code | name | meaning | hint |"]
        self.lines.append("|---|---|---|---|")
        for error in self.protocol.errors:
            cells = [str(error.code), f"`{error.name}`", error.doc, error.hint]
            self.lines.append("| " + " | ".join(cells) + " |")


def _name(page: str) -> str:
    """The name of a page of docs in links from another one."""
    return page.rpartition("/")[2]


def _title(file: str) -> str:
    """`AssetReader.swift` is headed `Asset reader`, and `HDRMetadata.swift` is `HDR metadata`."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", file.partition(".")[0])
    rest = [word if word.isupper() else word.lower() for word in words[1:]]
    return " ".join([words[0], *rest])
