"""Adds the pages that the code itself tells: commands, scenario keys, JSON documents.

MkDocs calls `on_files` while it builds; the pages exist in the site only, so that they
cannot grow stale.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click
from docstring_parser import parse
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from tco.cli import COMMANDS, cli
from tco.schemas import schema, schema_files

_WIDTH = 80


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those of docs/."""
    pages = {
        "reference/cli.md": commands_page(),
        "reference/scenario-keys.md": scenario_page(),
        "reference/json.md": json_page(),
    }
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def commands_page() -> str:
    """Return what `--help` says of every command."""
    shown = [_help(command, words) for words, command in _commands()]
    head = "# Commands\n\nWhat `tco COMMAND --help` prints, as this version does."
    return "\n\n".join([head, *shown]) + "\n"


def scenario_page() -> str:
    """Return every key of a scenario: type, bounds and default."""
    head = (
        "# Scenario keys\n\nEvery key with its type and bounds, from the models that read a "
        "file. What each means, with its unit, is in the [scenario reference](../scenario.md)."
    )
    return _schema_page(head, "scenario", level=2, columns=("key", "type", "left out"))


def json_page() -> str:
    """Return every field of each JSON document that tco writes."""
    head = (
        "# JSON documents\n\nWhat `--json` prints and what the files hold. Numbers are finite; "
        "`null` means that there is none, and a field that ends in `_reason` says why. Money is "
        "USD, shares are 0 to 1."
    )
    names = [file.removesuffix(".schema.json") for file in schema_files()]
    pages = [_document(name) for name in names if name != "scenario"]
    return "\n\n".join([head, *pages]) + "\n"


def _commands() -> Iterator[tuple[str, click.Command]]:
    yield "tco", cli
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if command is None:
            raise LookupError(name)
        yield f"tco {name}", command
        if isinstance(command, click.Group):
            yield from ((f"tco {name} {sub}", each) for sub, each in command.commands.items())


def _help(command: click.Command, words: str) -> str:
    context = click.Context(command, info_name=words, max_content_width=_WIDTH)
    context.terminal_width = _WIDTH
    return f"## {words}\n\n```text\n{command.get_help(context)}\n```"


def _document(name: str) -> str:
    about = f"The schema: [{name}.schema.json](../schemas/{name}.schema.json)."
    head = f"## {name.replace('_', ' ').capitalize()}\n\n{about}"
    return _schema_page(head, name, level=3, columns=("field", "type"))


def _schema_page(head: str, name: str, *, level: int, columns: Sequence[str]) -> str:
    document = schema(name)
    definitions = {
        each: what for each, what in document.get("$defs", {}).items() if "properties" in what
    }
    parts = [_part(document, definitions, name, columns)]
    for each, what in definitions.items():
        title = f"{'#' * level} {each} {{#{name}-{each.lower()}}}"
        parts += [title, _part(what, definitions, name, columns)]
    return "\n\n".join([head, *parts])


def _part(
    what: dict[str, Any], definitions: dict[str, Any], page: str, columns: Sequence[str]
) -> str:
    """Return a model's own words and the table of its fields.

    What a file may leave out is a column of what we read; what we write is always there.
    """
    about = parse(what.get("description", ""))
    told = {each.arg_name: _cell(each.description or "") for each in about.params}
    required = what.get("required", ())
    names = [*columns, "meaning"] if told else columns
    rows = [
        {
            columns[0]: f"`{key}`",
            "type": _type(of, definitions, page),
            "left out": _default(of, required=key in required),
            "meaning": told.get(key, ""),
        }
        for key, of in what["properties"].items()
    ]
    lines = [names, ["---"] * len(names), *([row[name] for name in names] for row in rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    words = [text for text in (about.short_description, about.long_description) if text]
    return "\n\n".join([*map(_prose, words), table])


def _type(of: dict[str, Any], definitions: dict[str, Any], page: str) -> str:
    if "$ref" in of:
        return _link(of["$ref"].rpartition("/")[2], definitions, page)
    for union in ("anyOf", "oneOf"):
        if union in of:
            kinds = [_type(each, definitions, page) for each in of[union]]
            return " or ".join(dict.fromkeys(kinds))
    if "enum" in of or "const" in of:
        values = of.get("enum", [of.get("const")])
        return ", ".join(f"`{json.dumps(value)}`" for value in values)
    if of.get("type") == "array":
        inner = of.get("items") or {"anyOf": of.get("prefixItems", [{}])}
        return f"list of {_type(inner, definitions, page)}"
    if of.get("type") == "object" and isinstance(of.get("additionalProperties"), dict):
        return f"mapping to {_type(of['additionalProperties'], definitions, page)}"
    kind = of.get("format") or of.get("type", "anything")
    return " ".join(filter(None, (kind, _bounds(of))))


def _link(name: str, definitions: dict[str, Any], page: str) -> str:
    return f"[{name}](#{page}-{name.lower()})" if name in definitions else name


def _bounds(of: dict[str, Any]) -> str:
    signs = {
        "exclusiveMinimum": "above",
        "minimum": "at least",
        "exclusiveMaximum": "below",
        "maximum": "at most",
    }
    said = [f"{word} {of[key]:,}" for key, word in signs.items() if key in of]
    return ", ".join(said)


def _default(of: dict[str, Any], *, required: bool) -> str:
    if required:
        return "required"
    value = of.get("default")
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    return "" if value in (None, [], {}) or isinstance(value, dict) else f"`{json.dumps(value)}`"


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|").replace("\n", " ")


def _prose(text: str) -> str:
    return text.replace("<", "&lt;").replace("{", "&#123;")
