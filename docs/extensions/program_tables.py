"""Tables that are read off the program: configuration keys, exit codes, algorithms. They cannot go out of date."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx

from dpaudit.audit.structural import checks
from dpaudit.cli import config
from dpaudit.cli.main import program
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_algorithms
from dpaudit.report.formats.text import MEANINGS

WORDS = {int: "integer", float: "number", str: "text", bool: "true or false", list: "list of numbers",
         tuple: "list of strings"}  # fmt: skip


def cell(text: str) -> str:
    """Text for a cell of a Markdown table: nothing in it is markup."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>|" else sign for sign in text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    yield from ("| " + " | ".join(row) + " |" for row in rows)


def options() -> dict[str, tuple[click.Option, list[str]]]:
    """Each long flag without its dashes: the option, and the commands that know it."""
    found: dict[str, tuple[click.Option, list[str]]] = {}
    for command in program.commands.values():
        for option in command.params:
            for flag in option.opts if isinstance(option, click.Option) else ():
                if flag.startswith("--"):
                    found.setdefault(flag[2:], (option, []))[1].append(str(command.name))  # type: ignore[arg-type]
    return found


def configuration_keys() -> Iterator[str]:
    """A row for each key of `dpaudit.toml`: its type, what it means, the commands that know it."""
    known = options()
    rows = []
    for key, kind in config.KEYS.items():
        option, commands = known[key]
        default = (
            option.default if option.show_default and isinstance(option.default, bool | int | float | str) else None
        )
        words = cell(option.help or "") + ("" if default is None else f" Default: `{json.dumps(default)}`.")
        rows.append((f"`{key}`", WORDS[kind], words, ", ".join(f"`{name}`" for name in commands)))
    return table(("key", "type", "meaning", "commands"), rows)


def exit_codes() -> Iterator[str]:
    """A row for each exit code."""
    return table(("code", "meaning"), ((f"`{int(code)}`", cell(words)) for code, words in MEANINGS.items()))


def schemas() -> Iterator[str]:
    """A row for each published JSON Schema."""
    files = sorted((Path(__file__).parents[1] / "schema").glob("*.json"))
    rows = []
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        rows.append((f"[{file.name}](../schema/{file.name})", cell(data.get("title", "")), cell(data.get("$id", ""))))
    return table(("schema", "of", "id"), rows)


def algorithms(paper: str) -> Iterator[str]:
    """A row for each algorithm of a paper: its name, its folder, its title."""
    found = [item for item in load_algorithms() if isinstance(item, Loaded) and item.name.startswith(f"{paper}/")]
    rows = ((f"`{item.name}`", f"`{item.path.parent.name}`", cell(item.record.title)) for item in found)
    return table(("algorithm", "module", "title"), rows)


def structural_checks() -> Iterator[str]:
    """A row for each check of a recorded training: its name, the first paragraph of its file, how often it errs."""
    modules = (import_module(f"{checks.__name__}.{found.name}") for found in iter_modules(checks.__path__))
    rows = ((f"`{m.NAME}`", cell(" ".join(str(m.__doc__).split("\n\n")[0].split())), m.FALSE_ALARM) for m in modules)
    return table(("check", "property", "false alarms"), rows)


def directive(lines: Callable[..., Iterable[str]], arguments: int = 0) -> type[Directive]:
    """A directive that stands for these lines of Markdown; `lines` takes so many words as the directive is given."""

    class Table(Directive):
        required_arguments = arguments

        def run(self) -> list[nodes.Node]:
            place = nodes.container()
            self.state.nested_parse(StringList(list(lines(*self.arguments)), "program"), self.content_offset, place)
            return place.children

    return Table


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("configuration-keys", directive(configuration_keys))
    app.add_directive("exit-codes", directive(exit_codes))
    app.add_directive("record-schemas", directive(schemas))
    app.add_directive("algorithms", directive(algorithms, 1))
    app.add_directive("structural-checks", directive(structural_checks))
    return {"parallel_read_safe": True}
