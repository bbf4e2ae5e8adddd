"""The OpenRPC document."""

from __future__ import annotations

from typing import Any, Dict, List, Set

from model import INTEGERS, Declaration, GeneratorError, Member, Message, Protocol, TypeExpression
from model import wire_name

Schema = Dict[str, Any]

STARTED = "OperationStarted"
#: The answers to requests that start work, by their Swift types, as they are before its end.
REPLIES = {"OperationReply": STARTED, "RevisedOperationReply": "RevisedOperationStarted"}
SCALARS: Dict[str, Schema] = {
    "String": {"type": "string"},
    "Bool": {"type": "boolean"},
    "Double": {"type": "number"},
    "EmptyResult": {"type": "object", "properties": {}},
    "NullResult": {"type": "null"},
    "JSONValue": {},
    "RawJSON": {"type": "object"},
    "Base64Data": {"type": "string", "contentEncoding": "base64"},
}
# The argument of a generic type in the name of its instance.
WORDS = {"String": "Text", "Bool": "Boolean", "Double": "Number"}


class SchemaBuilder:
    """Turns Swift types into JSON Schemas and collects those that have a name.

    A type that is read in more forms than it is written in has two schemas; the one that the
    server reads ends in `Input`.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.components: Dict[str, Schema] = {}

    def schema(self, type: TypeExpression, is_input: bool) -> Schema:
        if type.kind == "optional":
            return self.schema(type.arguments[0], is_input)
        if type.kind == "array":
            return {"type": "array", "items": self.schema(type.arguments[0], is_input)}
        if type.kind == "dictionary":
            return {
                "type": "object",
                "additionalProperties": self.schema(type.arguments[1], is_input),
            }
        if type.name in INTEGERS:
            return {"type": "integer", "minimum": 0} if "U" in type.name else {"type": "integer"}
        if type.name in SCALARS:
            return dict(SCALARS[type.name])
        if type.name in REPLIES:
            started = REPLIES[type.name]
            self._started(started)
            return {
                "anyOf": [
                    {"$ref": f"#/components/schemas/{started}"},
                    self.schema(type.arguments[0], is_input),
                ]
            }
        return self._reference(type, is_input)

    def members(self, members: List[Member], is_input: bool) -> Schema:
        properties = {}
        for member in members:
            assert member.type is not None
            if member.doc.constant is not None:
                schema: Schema = {"const": member.doc.constant}
            else:
                schema = self.schema(member.type, is_input)
            schema["description"] = self.protocol.resolve_links(member.doc.text)
            if member.doc.default is not None:
                schema["default"] = member.doc.default
            if member.doc.path is not None:
                schema["x-path"] = member.doc.path
            properties[member.name] = schema
        required = [m.name for m in members if m.type is not None and m.type.kind != "optional"]
        result: Schema = {"type": "object", "properties": properties}
        if required:
            result["required"] = required
        return result

    def _reference(self, type: TypeExpression, is_input: bool) -> Schema:
        declaration = self.protocol.declaration(type.name)
        name = instance_name(type)
        if is_input and self._reads_more(type, set()):
            name += "Input"
        if name not in self.components:
            self.components[name] = {}
            self.components[name] = self._component(declaration, type, is_input)
        return {"$ref": f"#/components/schemas/{name}"}

    def _component(self, declaration: Declaration, type: TypeExpression, is_input: bool) -> Schema:
        doc = declaration.doc
        if doc.schema is not None:
            written = doc.schema_in if is_input and doc.schema_in is not None else doc.schema
            # Inside of the wider form the type's own name means the narrower one.
            schema = self._resolve(written, is_input and written is doc.schema)
        elif declaration.is_string:
            schema = {"type": "string"}
        elif declaration.is_enumeration:
            schema = {"type": "string", "enum": [member.name for member in declaration.members]}
        else:
            bindings = dict(zip(declaration.generics, type.arguments))
            members = [
                Member(m.name, m.doc, m.type.substituting(bindings))
                for m in declaration.members
                if m.type is not None
            ]
            schema = self.members(members, is_input)
        description = self.protocol.resolve_links(doc.text)
        return {"description": description, **schema}

    def _resolve(self, schema: Any, is_input: bool) -> Any:
        """Names in a written schema are those of Swift; objects with a title become components."""
        if isinstance(schema, list):
            return [self._resolve(element, is_input) for element in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            reference = self._reference(TypeExpression("named", schema["$ref"]), is_input)
            return {**schema, **reference}
        resolved = {key: self._resolve(value, is_input) for key, value in schema.items()}
        title = schema.get("title")
        if isinstance(title, str):
            del resolved["title"]
            self.components[title] = resolved
            return {"$ref": f"#/components/schemas/{title}"}
        return resolved

    def _reads_more(self, type: TypeExpression, visited: Set[str]) -> bool:
        if any(self._reads_more(argument, visited) for argument in type.arguments):
            return True
        if type.kind != "named" or type.name in visited:
            return False
        declaration = self.protocol.declarations.get(type.name)
        if declaration is None:
            return False
        visited.add(type.name)
        if declaration.doc.schema is not None:
            names = references(declaration.doc.schema)
            return declaration.doc.schema_in is not None or any(
                self._reads_more(TypeExpression("named", name), visited) for name in names
            )
        return any(self._reads_more(m.type, visited) for m in declaration.members if m.type)

    def _started(self, name: str) -> None:
        handle = self.schema(TypeExpression("named", "OperationHandle"), False)
        properties: Dict[str, Schema] = {
            "operation": {**handle, "description": "The operation of its notifications."}
        }
        if name != STARTED:
            properties["revision"] = {
                "type": "integer",
                "description": "The number that the jump has if it is made.",
            }
        self.components[name] = {
            "description": "The work has begun.",
            "type": "object",
            "properties": properties,
            "required": list(properties),
        }


def instance_name(type: TypeExpression) -> str:
    """`WireKeyState<[WireTrack]>` is `TrackListKeyState`."""
    if type.kind == "array":
        return instance_name(type.arguments[0]) + "List"
    if type.name in INTEGERS:
        return "Integer"
    name = WORDS.get(type.name, wire_name(type.name))
    return "".join(instance_name(argument) for argument in type.arguments) + name


def references(schema: Any) -> List[str]:
    if isinstance(schema, list):
        return [name for element in schema for name in references(element)]
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for value in schema.values() for name in references(value)]
    return []


def document(protocol: Protocol) -> Dict[str, Any]:
    """The whole OpenRPC document."""
    builder = SchemaBuilder(protocol)
    # An error need not be part of a result, nor a notification the end of an operation.
    for name in ["ErrorObject", *(m.declaration.name for m in protocol.server_notifications)]:
        builder.schema(TypeExpression("named", name), False)
    methods = [_method(protocol, builder, message) for message in protocol.requests]
    methods += [_method(protocol, builder, message) for message in protocol.client_notifications]
    notifications = [
        {
            "name": message.method,
            **_words(protocol, message),
            "params": _params(builder, message, False),
        }
        for message in protocol.server_notifications
    ]
    errors = {
        error.name: {
            "code": error.code,
            "message": error.doc,
            "data": {"name": error.name, "hint": error.hint},
        }
        for error in protocol.errors
    }
    return {
        "openrpc": "1.3.2",
        "info": {
            "title": "Reelwire",
            "version": "1.0",
            "description": "AVFoundation's object model as a process: JSON-RPC 2.0 over stdio.",
        },
        "methods": methods,
        "x-notifications": notifications,
        "components": {
            "schemas": {name: builder.components[name] for name in sorted(builder.components)},
            "errors": errors,
        },
    }


def _method(protocol: Protocol, builder: SchemaBuilder, message: Message) -> Dict[str, Any]:
    method: Dict[str, Any] = {
        "name": message.method,
        **_words(protocol, message),
        "tags": [{"name": message.namespace}],
        "paramStructure": "by-name",
        "params": _params(builder, message, True),
    }
    if message.result is not None:
        if message.result.kind == "named" and message.result.name in REPLIES:
            ending = protocol.declaration(message.result.arguments[0].name)
            method["x-terminal"] = next(
                m.method for m in protocol.server_notifications if m.declaration is ending
            )
        if message.objects:
            method["x-objects"] = message.objects
        method["result"] = {"name": "result", "schema": builder.schema(message.result, False)}
        names = error_names(protocol, message)
        if names:
            method["errors"] = [{"$ref": f"#/components/errors/{name}"} for name in names]
    return method


def _words(protocol: Protocol, message: Message) -> Dict[str, str]:
    doc = message.declaration.doc
    words = {"summary": protocol.resolve_links(doc.summary)}
    if doc.discussion:
        words["description"] = protocol.resolve_links(doc.text)
    return words


def _params(builder: SchemaBuilder, message: Message, is_input: bool) -> List[Dict[str, Any]]:
    members = builder.members(message.declaration.members, is_input)
    return [
        {
            "name": name,
            "description": schema.pop("description"),
            "required": name in members.get("required", []),
            "schema": schema,
        }
        for name, schema in members["properties"].items()
    ]


def error_names(protocol: Protocol, message: Message) -> List[str]:
    """The errors that a comment names, after those that every request with such params has."""
    names: List[str] = []
    if message.declaration.members:
        names.append("invalidParams")
    if any(
        member.type is not None
        and member.type.unwrapped.kind == "named"
        and member.type.unwrapped.name.endswith("Handle")
        for member in message.declaration.members
    ):
        names += ["unknownHandle", "wrongHandleKind"]
    known = {error.name for error in protocol.errors}
    for name in message.declaration.doc.errors:
        if name not in known:
            raise GeneratorError(f"{message.method} names the error {name}, which does not exist")
        if name not in names:
            names.append(name)
    return names
