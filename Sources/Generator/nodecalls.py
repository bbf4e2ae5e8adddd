"""The calls of the Node client: a class for each kind of object, its declaration, its options."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any, Dict, List, Set, Tuple

from clientcalls import Argument, Call, Schema, calls, class_name, handle_noun, label
from clientcalls import receivers, referred
from clientrules import Work
from model import GeneratorError
from nodetables import HANDLES, INPUTS, INPUT_TYPES, MADE_MODULES, PATHS, PLAIN, SUBJECTLESS, VALUES
from nodetypes import NodeTypes

NOTE = "Generated from the Swift declarations by Sources/Generator/generate.py; do not edit."
HEADER = f"""\
// The calls that are on the wire as they are here, for each kind of object.
//
// {NOTE}
//
// A class `…Calls` is the base of an object's own class. Calls that need more than that are written
// by hand in the object's module.
"""
PROGRESS = "Called with the part that is done, from 0 to 1. An error that it throws cancels the work."
OPTIONS_HEADER = f"""\
// The options of those calls by name.
//
// {NOTE}
"""


class NodeCalls:
    """Turns the methods of an OpenRPC document into calls."""

    def __init__(self, document: Dict[str, Any]) -> None:
        schemas = document["components"]["schemas"]
        for name in [*INPUTS, *VALUES]:
            if name not in schemas:
                raise GeneratorError(f"nodetables.py names the type {name}, which doesn't exist")
        self.types = NodeTypes(document)
        self.calls = calls(document)
        self.receivers = receivers(self.calls)
        self.imports: Dict[str, Set[str]] = {}

    # The module

    def module(self) -> str:
        """The text of the JavaScript module."""
        self.imports = {"options": {"checked"}, "remote": {"send", "Remote"}}
        parts = [self._class(noun, found) for noun, found in self.receivers.items()]
        return "\n".join([HEADER, self._imports("import"), *parts])

    def options(self) -> str:
        """The text of the module with the options of each call."""
        rows = []
        for call in self.calls:
            if call.rule.node_plain:
                continue
            names = ", ".join(f"'{name}'" for name in [*self._option_names(call), "signal"])
            name = label(call, self.calls)
            name = f"'{name}'" if "." in name else name
            row = f"  {name}: [{names}],"
            if len(row) > 100:
                inner = textwrap.wrap(names, 90, break_on_hyphens=False)
                row = "\n".join([f"  {name}: [", *(f"    {line}" for line in inner), "  ],"])
                row = row.replace("'\n  ],", "',\n  ],")
            rows.append(row)
        body = "\n".join(rows)
        return f"{OPTIONS_HEADER}\nexport const CALL_OPTIONS = Object.freeze({{\n{body}\n}});\n"

    def _class(self, noun: str, found: List[Call]) -> str:
        base = "" if noun in PLAIN else " extends Remote"
        body = "\n".join(self._method(call) for call in found)
        return f"export class {class_name(noun)}Calls{base} {{\n{body}}}\n"

    def _method(self, call: Call) -> str:
        placed, named = _arguments(call)
        items = [
            a.name if a.default is None else f"{a.name} = {_literal(a.default)}" for a in placed
        ]
        if call.rule.work is not None and call.rule.work.is_job:
            return self._job(call, placed)
        if not call.rule.node_plain:
            items.append("options = {}" if named else "options")
        taken = [a.name for a in named if a.wire != "delivery"]
        if call.rule.work is not None:
            taken.append("onProgress")
        names = ", ".join([*taken, "signal"])
        end = f"}} = checked('{label(call, self.calls)}', options);"
        rows = [f"const {{ {names} {end}"]
        if len(rows[0]) > 96:
            rows = ["const {", *(f"  {line}" for line in textwrap.wrap(f"{names},", 92)), end]
        if call.rule.node_plain:
            rows = []
        members = [] if call.receiver in SUBJECTLESS else [f"{n}: this.handle" for n in call.subject]
        members += [self._param(argument, call) for argument in [*placed, *named]]
        fixed = {name: value for name, value in call.rule.fixed.items() if value is not None}
        members += [f"{name}: {_literal(value)}" for name, value in fixed.items()]
        if call.completes:
            members.append("completion: 'response'")
        if call.rule.work is not None:
            rows += self._work(call, call.rule.work, members)
            text = "".join(f"    {row}\n" for row in rows)
            return f"  async {call.name}({', '.join(items)}) {{\n{text}  }}\n"
        if call.rule.prepares:
            self._use("remote", "before")
            rows.append(f"await this[before]('{call.name}');")
        returned = "" if call.rule.makes else self._returned(call)
        if call.rule.makes:
            self._use("remote", "made")
            returned = f"this[made]('{call.name}', result)"
        if returned in ("", "result"):
            start = f"{'return' if returned else 'await'} this[send]"
            rows += _request(start, call.method, members, call.rule.node_plain)
        else:
            start = "const result = await this[send]"
            rows += _request(start, call.method, members, call.rule.node_plain)
            rows.append(f"return {returned};")
        text = "".join(f"    {row}\n" for row in rows)
        return f"  async {call.name}({', '.join(items)}) {{\n{text}  }}\n"

    def _job(self, call: Call, placed: List[Argument]) -> str:
        """A call of which the object itself makes a job; all params are positional arguments."""
        self._use("remote", "job")
        params = ", ".join(self._param(argument, call) for argument in placed)
        items = ", ".join([*(a.name for a in placed), "options = {}"])
        return (
            f"  {call.name}({items}) {{\n    const params = () => ({{ {params} }});\n"
            f"    return this[job]('{label(call, self.calls)}', '{call.method}', params, options);\n  }}\n"
        )

    def _work(self, call: Call, work: Work, members: List[str]) -> List[str]:
        """The lines that do work and make an object of its end."""
        if work.is_own:
            self._use("remote", "worked")
            members = [member for member in members if member != "completion: 'response'"]
            rows = [f"const params = {{ {', '.join(members)} }};"]
            options = "{ signal, onProgress }"
            return [*rows, f"return this[worked]('{call.name}', '{call.method}', params, {options});"]
        self._use("operation", "done")
        self._use(work.module.replace("_", "-"), work.made)
        rows = ["const end = await done(", "  this.transport,", f"  '{call.method}',", "  {"]
        rows += [f"    {member}," for member in members if member != "completion: 'response'"]
        rows += ["  },", f"  {{ signal, onProgress, title: '{work.title}' }},", ");"]
        if not work.has_image:
            return [*rows, f"return new {work.made}(end);"]
        self._use("blob", "blobOf")
        return [*rows, f"return new {work.made}(end, await blobOf(this.transport, end.image));"]

    def _param(self, argument: Argument, call: Call) -> str:
        """A member of the params, and the expression of its value."""
        wire, name, schema = argument.wire, argument.name, argument.schema
        value = name
        if wire in call.rule.writes and not call.rule.writes[wire].in_node:
            return wire if wire == name else f"{wire}: {name}"
        if wire in call.rule.writes:
            self._use("remote", "written")
            value = f"this[written]('{name}', {name})"
            if schema.get("type") == "array":
                value = f"Array.from({name}, (each) => this[written]('{name}', each))"
        elif wire == "delivery":
            work = call.rule.work
            delivery = work.node_delivery if work else call.rule.node_delivery
            value = f"{self._use('blob', delivery)}(options)"
        elif wire == "trackID":
            self._use("wire", "trackIDOf")
            value = f"trackIDOf({name})"
        elif referred(schema) in INPUTS:
            conversion = INPUTS[referred(schema)]
            template = conversion.template if argument.required else conversion.optional
            self._use(conversion.module, re.split(r"[.(]", template)[0])
            value = template.format(name)
        elif schema.get("x-path") in PATHS:
            conversion = PATHS[schema["x-path"]]
            self._use(conversion.module, conversion.name)
            guard = "" if argument.required else f"{name} && "
            value = guard + conversion.template.format(name)
            if schema.get("type") == "array":
                value = f"{guard}Array.from({name}, (each) => {conversion.template.format('each')})"
        elif handle_noun(schema) and referred(schema) != "AnyHandle":
            value = f"{name}.handle" if argument.required else f"{name}?.handle"
        elif schema.get("type") == "array":
            items = schema["items"]
            if referred(items) in INPUTS:
                conversion = INPUTS[referred(items)]
                self._use(conversion.module, conversion.name)
                each = conversion.template.format("each")
                guard = "" if argument.required else f"{name} && "
                value = f"{guard}Array.from({name}, (each) => {each})"
            elif _is_text(self.types.type(items)) or referred(items):
                self._use("wire", "listOf")
                value = f"listOf({name})"
        return wire if value == wire else f"{wire}: {value}"

    def _value(self, schema: Schema, value: str, is_required: bool) -> str:
        """The expression that converts a value of a result; empty where it stays as it is."""
        name = _made_of(schema)
        if name not in VALUES:
            return ""
        is_list = schema.get("type") == "array"
        conversion = VALUES[name]
        self._use(conversion.module, conversion.name)
        made = conversion.template.format(value)
        if is_list:
            each = conversion.template.format("each")
            made = conversion.list.format(value) or f"{value}.map((each) => {each})"
        return made if is_required or name == "ErrorObject" else f"{value} && {made}"

    def _returned(self, call: Call) -> str:
        """The expression that is returned, of ``result``; empty for a call without one."""
        whole = self._value(call.result, "result", True)
        if whole or call.members is None:
            return whole or "result"
        if not call.members:
            return ""
        values = {
            m.name: self._value(m.schema, f"result.{m.name}", m.required) for m in call.members
        }
        if len(values) == 1:
            name = call.members[0].name
            if call.rule.mapping:
                key, value = call.rule.mapping
                pairs = f"(result.{name} ?? []).map((each) => [each.{key}, each.{value}])"
                return f"Object.fromEntries({pairs})"
            return values[name] or f"result.{name}"
        if call.rule.returns:
            items = [f"{name}: {value or f'result.{name}'}" for name, value in values.items()]
        elif any(values.values()):
            items = ["...result", *(f"{name}: {value}" for name, value in values.items() if value)]
        else:
            return "result"
        return f"{{ {', '.join(items)} }}"

    # The declarations

    def declarations(self) -> str:
        """The text of the declarations of the module."""
        self.imports = {"remote": {"Cancellable", "Remote"}}
        parts = []
        for noun, found in self.receivers.items():
            # Calls of one method may share their options.
            options = {_options_name(call): call for call in reversed(found) if self._is_interface(call)}
            parts += [self._interface(call) for call in reversed(options.values())]
            base = "" if noun in PLAIN else " extends Remote"
            body = "\n".join(self._declaration(call) for call in found)
            parts.append(f"export declare class {class_name(noun)}Calls{base} {{\n{body}}}\n")
        return "\n".join([HEADER, self._imports("import type"), *parts])

    def _is_interface(self, call: Call) -> bool:
        return bool(_arguments(call)[1]) and not call.rule.node_options_module

    def _interface(self, call: Call) -> str:
        named = _arguments(call)[1]
        bases = ["Cancellable"]
        if any(a.wire == "delivery" for a in named):
            self._use("blob", "BytesOptions")
            bases.append("BytesOptions")
        rows = []
        for argument in named:
            if argument.wire == "delivery":
                continue
            text = _shown(argument.text, call)
            if "default" in argument.schema:
                text += f" Default: `{json.dumps(argument.schema['default'])}`."
            rows.append(f"{_comment([text], '  ')}  {argument.name}?: {self._given(argument)};\n")
        if call.rule.work is not None:
            rows.append(f"{_comment([PROGRESS], '  ')}  onProgress?: (progress: number) => void;\n")
        doc = f"/** The options of `{call.name}`. */\n"
        head = f"export interface {_options_name(call)} extends {', '.join(bases)} {{\n"
        return f"{doc}{head}{''.join(rows)}}}\n"

    def _declaration(self, call: Call) -> str:
        placed, named = _arguments(call)
        items = [
            f"{a.name}{'' if a.required and a.default is None else '?'}: {self._written(a, call)}"
            for a in placed
        ]
        if call.rule.work is not None and call.rule.work.is_job:
            promised = self._use(_kebab(class_name(call.receiver)), call.rule.work.node_job)
            options = self._use(_kebab(class_name(call.receiver)), _options_name(call))
        else:
            promised = f"Promise<{self._promised(call)}>"
            has_own = named or call.rule.node_options_module
            options = _options_name(call) if has_own else "Cancellable"
            if call.rule.node_options_module:
                self._use(call.rule.node_options_module, options)
        if not call.rule.node_plain:
            items.append(f"options?: {options}")
        line = f"  {call.name}({', '.join(items)}): {promised};\n"
        if len(line) > 100:
            inner = "".join(f"    {item},\n" for item in items)
            line = f"  {call.name}(\n{inner}  ): {promised};\n"
        blocks = [_shown(call.summary, call)]
        if call.discussion:
            blocks += ["", _shown(call.discussion, call)]
        tags = [f"@param {a.name} {_shown(a.text, call)}" for a in placed]
        is_value = not call.rule.mapping and (not call.rule.makes or call.rule.makes_list)
        if is_value and call.members is not None and len(call.members) == 1 and call.members[0].text:
            tags.append(f"@returns {_shown(call.members[0].text, call)}")
        return _comment([*blocks, *([""] if tags else []), *tags], "  ") + line

    def _written(self, argument: Argument, call: Call) -> str:
        """The type of an argument of a call, which its object may write."""
        written = call.rule.writes.get(argument.wire)
        if written is None:
            return self._given(argument)
        for module, names in written.node_modules.items():
            for name in names:
                self._use(module, name)
        return f"Iterable<{written.node}>" if argument.schema.get("type") == "array" else written.node

    def _given(self, argument: Argument) -> str:
        """The type of an argument."""
        schema = argument.schema
        if argument.wire == "trackID":
            self._use("track", "Track")
            return "Track | number"
        if referred(schema) in INPUTS:
            conversion = INPUTS[referred(schema)]
            return self._use(conversion.type_module or conversion.module, conversion.type)
        if referred(schema) in INPUT_TYPES:
            module, cls, kind = INPUT_TYPES[referred(schema)]
            self._use(module, cls)
            return kind
        if schema.get("x-path") in PATHS:
            conversion = PATHS[schema["x-path"]]
            kind = self._use(conversion.module, conversion.type)
            return f"Iterable<{kind}>" if schema.get("type") == "array" else kind
        noun = handle_noun(schema)
        if noun and referred(schema) != "AnyHandle":
            module, cls = HANDLES.get(noun, (_kebab(noun), class_name(noun)))
            return self._use(module, cls)
        if schema.get("type") == "array":
            items = schema["items"]
            if referred(items) in INPUTS:
                conversion = INPUTS[referred(items)]
                return f"Iterable<{self._use(conversion.module, conversion.type)}>"
            inner = self._type(items)
            if _is_text(inner) or referred(items):
                return f"{inner} | Iterable<{inner}>"
        return self._type(schema)

    def _type(self, schema: Schema) -> str:
        """A type of the wire."""
        text = self.types.type(schema)
        for name in re.findall(r"\b[A-Z]\w*", re.sub(r"'[^']*'|\"[^\"]*\"", "", text)):
            if name != "Record":
                self._use("protocol", name)
        return text

    def _promise(self, schema: Schema) -> str:
        """The type of a value of a result."""
        if _made_of(schema) not in VALUES:
            return self._type(schema)
        is_list = schema.get("type") == "array"
        conversion = VALUES[_made_of(schema)]
        kind = self._use(conversion.type_module or conversion.module, conversion.type)
        return f"{kind}[]" if is_list else kind

    def _promised(self, call: Call) -> str:
        if call.rule.work is not None:
            made = call.rule.work.made
            self._use(call.rule.work.module.replace("_", "-"), made.rstrip("[]"))
            return made
        if call.rule.makes:
            kind = self._use(MADE_MODULES.get(call.rule.makes, _kebab(call.rule.makes)), call.rule.makes)
            return f"{kind}[]" if call.rule.makes_list else kind
        if call.rule.mapping:
            return "Record<string, string>"
        narrower = call.rule.node_types
        if referred(call.result) in VALUES or call.members is None:
            return self._promise(call.result)
        if not call.members:
            return "void"
        is_plain = not any(_made_of(m.schema) in VALUES for m in call.members)
        if is_plain and len(call.members) > 1 and not call.rule.returns:
            return self._promise(call.result)
        kinds = {m.name: narrower.get(m.name) or self._promise(m.schema) for m in call.members}
        if len(kinds) == 1:
            member = call.members[0]
            return kinds[member.name] + ("" if member.required else " | undefined")
        items = [f"{m.name}{'' if m.required else '?'}: {kinds[m.name]}" for m in call.members]
        return f"{{ {'; '.join(items)} }}"

    # Both

    def _option_names(self, call: Call) -> List[str]:
        names = [a.name for a in _arguments(call)[1]]
        if call.rule.work is not None:
            names.append("onProgress")
            names += ["progressInterval"] if call.rule.work.is_job else []
        # Bytes go where a delivery sends them, or to a path.
        return [each for n in names for each in (["delivery", "path"] if n == "delivery" else [n])]

    def _use(self, module: str, name: str) -> str:
        self.imports.setdefault(module, set()).add(name)
        return name

    def _imports(self, keyword: str) -> str:
        lines = []
        for module, names in sorted(self.imports.items()):
            listed = ", ".join(sorted(names, key=str.lower))
            line = f"{keyword} {{ {listed} }} from './{module}.js';\n"
            if len(line) > 100:
                inner = "".join(f"  {name},\n" for name in sorted(names, key=str.lower))
                line = f"{keyword} {{\n{inner}}} from './{module}.js';\n"
            lines.append(line)
        return "".join(lines)


def _arguments(call: Call) -> Tuple[List[Argument], List[Argument]]:
    """The positional arguments, and those that are options."""
    placed = [a for a in call.arguments if a.required]
    placed.sort(key=lambda argument: argument.default is not None)
    optional = [a for a in call.arguments if not a.required]
    placed += [a for wire in call.rule.node_placed for a in optional if a.wire == wire]
    return placed, [a for a in optional if a.wire not in call.rule.node_placed]


def _made_of(schema: Schema) -> str:
    """The name of the type of a value, or of the values of a list."""
    return referred(schema["items"] if schema.get("type") == "array" else schema)


def _options_name(call: Call) -> str:
    if call.rule.node_options:
        return call.rule.node_options
    parts = re.split(r"[/.]", call.method)
    return "".join(part[:1].upper() + part[1:] for part in parts) + "Options"


def _request(start: str, method: str, members: List[str], is_plain: bool) -> List[str]:
    """The lines of a statement that sends a request."""
    params = f"{{ {', '.join(members)} }}" if members else "undefined"
    options = [] if is_plain else ["{ signal }"]
    line = f"{start}('{method}', {', '.join([params, *options])});"
    if len(line) <= 96:
        return [line]
    rows = [f"  {params},"]
    if len(params) > 92:
        rows = ["  {", *(f"    {member}," for member in members), "  },"]
    return [f"{start}(", f"  '{method}',", *rows, *(f"  {each}," for each in options), ");"]


def _shown(text: str, call: Call) -> str:
    names = {argument.wire: argument.name for argument in call.arguments}
    return re.sub(r"`([^`]+)`", lambda m: f"`{names.get(m.group(1), m.group(1))}`", text)


def _comment(blocks: List[str], indent: str) -> str:
    text = "\n".join(blocks)
    if "*/" in text:
        raise GeneratorError(f"a comment can't have {text!r}")
    if len(blocks) == 1 and len(text) + len(indent) <= 92:
        return f"{indent}/** {text} */\n"
    lines: List[str] = []
    for block in blocks:
        lines += textwrap.wrap(block, 94 - len(indent), break_on_hyphens=False) or [""]
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def _is_text(kind: str) -> bool:
    return kind == "string" or kind.startswith('"')


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
