"""The reference part of protocol.md."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Set

from model import INTEGERS, Declaration, Member, Message, Protocol, TypeExpression, wire_name
from openrpc import error_names

WORDS = {
    "String": "string",
    "Bool": "boolean",
    "Double": "number",
    "RawJSON": "object",
    "Base64Data": "base64 string",
}
COMMON_ERRORS = {"invalidParams", "unknownHandle", "wrongHandleKind"}


class Reference:
    """Writes Markdown; links go to headings by GitHub's rules."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.lines: List[str] = []
        self.used: Set[str] = set()

    def write(self) -> str:
        namespaces: Dict[str, List[Message]] = {"engine": [], "handle": [], "blob": []}
        for message in self.protocol.messages:
            namespaces.setdefault(message.namespace, []).append(message)
        self.lines += [
            "## Reference",
            "",
            "Every request can fail with `invalidParams`, and one that takes a handle with "
            "`unknownHandle` or `wrongHandleKind`; only further errors are named below.",
            "",
        ]
        for namespace, messages in namespaces.items():
            links = ", ".join(f"[{m.method}](#{slug(m.method)})" for m in messages)
            self.lines.append(f"- **{namespace}**: {links}")
        for namespace, messages in namespaces.items():
            self.lines += ["", f"### Namespace {namespace}"]
            for message in messages:
                self._message(message)
        self._types()
        self._errors()
        return "\n".join(self.lines) + "\n"

    def _message(self, message: Message) -> None:
        declaration = message.declaration
        is_notification = message.result is None
        self.lines += ["", f"#### {message.method}", ""]
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
        if result.name == "OperationReply":
            ending = self.protocol.declaration(result.arguments[0].name)
            method = next(
                m.method for m in self.protocol.server_notifications if m.declaration is ending
            )
            link = f"[{method}](#{slug(method)})"
            self.lines += [
                f"Result: `{{operation}}`; the work ends with {link}. With `completion` "
                f'`"response"` the result is what that notification would have said.',
                "",
            ]
        elif result.name == "EmptyResult":
            self.lines += ["Result: `{}`.", ""]
        elif result.name == "NullResult":
            self.lines += ["Result: `null`.", ""]
        elif result.name in WORDS:
            self.lines += [f"Result: an {WORDS[result.name]}.", ""]
        else:
            declaration = self.protocol.declaration(result.name)
            self.lines += ["Result:", ""]
            self._members(declaration.members, reads=False)

    def _prose(self, declaration: Declaration) -> None:
        for paragraph in [declaration.doc.summary, *declaration.doc.discussion]:
            self.lines += [self.protocol.resolve_links(paragraph), ""]

    def _members(self, members: List[Member], reads: bool) -> None:
        """What the server reads has defaults; what it writes may be absent."""
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
        if type.name in WORDS:
            return WORDS[type.name]
        if type.name not in self.protocol.declarations:
            return "any"
        self.used.add(type.name)
        name = wire_name(type.name)
        link = f"[{name}](#{slug(name + ' (type)')})"
        arguments = " of ".join(self._type(argument) for argument in type.arguments)
        return f"{link} of {arguments}" if arguments else link

    def _types(self) -> None:
        """Every type that the tables link to, and what those link to in turn."""
        self.lines += ["", "### Types", ""]
        done: Set[str] = set()
        sections: Dict[str, List[str]] = {}
        outer = self.lines
        while self.used - done:
            for name in sorted(self.used - done):
                done.add(name)
                self.lines = []
                self._type_section(self.protocol.declaration(name))
                sections[wire_name(name)] = self.lines
        self.lines = outer
        for name in sorted(sections):
            self.lines += sections[name]
        self.lines.pop()

    def _type_section(self, declaration: Declaration) -> None:
        self.lines += [f"#### {wire_name(declaration.name)} (type)", ""]
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
        """A written schema in a few words."""
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
        self.lines += ["", "### Error codes", "", "| code | name | meaning | hint |"]
        self.lines.append("|---|---|---|---|")
        for error in self.protocol.errors:
            cells = [str(error.code), f"`{error.name}`", error.doc, error.hint]
            self.lines.append("| " + " | ".join(cells) + " |")


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = [c for c in heading.lower() if c.isalnum() or c in "-_ "]
    return "".join(kept).replace(" ", "-")
