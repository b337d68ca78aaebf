#!/usr/bin/env python3
"""Writes the man pages of the command: earshot.1, and a page for each of its subcommands.

    earshot --experimental-dump-help | Scripts/manual.py --version 0.1.0 --date 2026-01-31 FOLDER

The texts are those of --help. The command prints them as JSON, in the format ToolInfoV0 of swift-argument-parser.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

Command = dict
Argument = dict

FILES = r"""
.SH FILES
.TP
.I ~/.local/share/earshot
The data directory without \fB\-\-home\fR, \fBEARSHOT_HOME\fR and \fBXDG_DATA_HOME\fR.
.TP
.I /usr/lib/systemd/user/earshot.service
Runs a node for a user: \fBsystemctl \-\-user enable \-\-now earshot\fR. The file explains its settings.
.TP
.I /lib/systemd/system/earshot\-relay.service
Runs a relay for the machine: \fBsystemctl enable \-\-now earshot\-relay\fR. The file explains its settings.
.SH ENVIRONMENT
.TP
.B EARSHOT_HOME
The data directory.
.TP
.B EARSHOT_PASSPHRASE
The passphrase of the data directory, for programs.
""".strip().splitlines()


def escape(text: str) -> str:
    """Returns text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def quoted(text: str) -> str:
    """Returns text as one argument of a roff request."""
    return '"' + escape(text).replace('"', "\\(dq") + '"'


def paragraphs(text: str) -> list[str]:
    """Returns each line of a help text as a paragraph; lines that are indented stay as they are."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            lines += [".PP", ".nf", escape(line), ".fi"]
        elif line:
            lines += [".PP", escape(line)]
    return lines


def full_name(command: Command) -> str:
    return " ".join([*command.get("superCommands", []), command["commandName"]])


def shown(items: list[dict]) -> list[dict]:
    return [item for item in items if item.get("shouldDisplay", True)]


def subcommands(command: Command) -> list[Command]:
    """Returns the subcommands that --help lists, without `help` itself."""
    return [item for item in shown(command.get("subcommands", [])) if item["commandName"] != "help"]


def is_asking(argument: Argument) -> bool:
    """Tells whether an argument is --help or --version, which every command takes."""
    return {name["name"] for name in argument.get("names", [])} & {"help", "version"} != set()


def may_lack_value(argument: Argument) -> bool:
    """Tells whether an option also stands without its value; its default is for that case."""
    return argument["kind"] == "option" and argument["parsingStrategy"] == "scanningForValue"


def name_text(name: dict) -> str:
    return escape(("--" if name["kind"] == "long" else "-") + name["name"])


def value_text(argument: Argument) -> str:
    return f"\\fI{escape(argument.get('valueName', 'value'))}\\fR"


def synopsis(command: Command, common: set[str]) -> str:
    """Returns the usage of a command in one line."""
    parts = [f"\\fB{escape(full_name(command))}\\fR"]
    arguments = [item for item in shown(command.get("arguments", [])) if key(item) not in common]
    optional = [item for item in arguments if item["kind"] != "positional" and item["isOptional"]]
    if common or optional:
        parts.append("[\\fIoptions\\fR]")
    for argument in arguments:
        if argument["kind"] == "positional":
            text = value_text(argument)
        elif not argument["isOptional"]:
            text = f"\\fB{name_text(argument['preferredName'])}\\fR"
            text += f" {value_text(argument)}" if argument["kind"] == "option" else ""
        else:
            continue
        text += " ..." if argument["isRepeating"] else ""
        parts.append(f"[{text}]" if argument["isOptional"] else text)
    if subcommands(command):
        parts.append("\\fIcommand\\fR")
    return " ".join(parts)


def key(argument: Argument) -> str:
    """Returns a text by which arguments of two commands are equal."""
    return json.dumps([argument["kind"], argument.get("names"), argument.get("valueName")])


def entry(argument: Argument) -> list[str]:
    """Returns an argument with its description."""
    if argument["kind"] == "positional":
        head = value_text(argument)
    else:
        head = ", ".join(f"\\fB{name_text(name)}\\fR" for name in argument["names"])
        value = value_text(argument)
        head += f" {f'[{value}]' if may_lack_value(argument) else value}" if argument["kind"] == "option" else ""
    lines = [".TP", head]
    text = " ".join((argument.get("abstract", "") + "\n" + argument.get("discussion", "")).split())
    if values := argument.get("allValues"):
        text += f" Values: {', '.join(values)}."
    has_default = argument["kind"] != "flag" and not may_lack_value(argument) and "Default:" not in text
    if has_default and (value := argument.get("defaultValue")):
        text += f" Default: {value}."
    return [*lines, escape(text.strip()) or "\\&"]


def entries(command: Command, common: set[str], is_section: bool) -> list[str]:
    """Returns the arguments of a command by the sections of its help, without those that all commands take."""
    sections: dict[str, list[str]] = {}
    for argument in shown(command.get("arguments", [])):
        if key(argument) in common or is_asking(argument):
            continue
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "")
        sections.setdefault(title, []).extend(entry(argument))
    lines = [".SH OPTIONS"] if sections and is_section else []
    for title in sorted(sections, key=lambda title: (title != "Arguments", title)):
        if is_section and title:
            lines.append(f".SS {quoted(title)}")
        lines += sections[title]
    return lines


def nested(command: Command, common: set[str]) -> list[str]:
    """Returns the descriptions of all commands below one."""
    lines: list[str] = []
    for child in subcommands(command):
        lines += [f".SS {quoted(full_name(child))}", synopsis(child, common), *paragraphs(child.get("abstract", ""))]
        lines += [*paragraphs(child.get("discussion", "")), *entries(child, common, False), *nested(child, common)]
    return lines


def head(command: Command, version: str, date: str) -> list[str]:
    page = full_name(command).replace(" ", "-")
    return [f".TH {quoted(page.upper())} 1 {quoted(date)} {quoted('Earshot ' + version)} \"Earshot\"",
            ".SH NAME", f"{escape(page)} \\- {escape(command.get('abstract', '').rstrip('.'))}"]


def body(command: Command, common: set[str]) -> list[str]:
    """Returns the usage of a command, and all that its help says."""
    lines = [".SH SYNOPSIS", synopsis(command, common), ".SH DESCRIPTION"]
    lines += paragraphs(command.get("abstract", "")) + paragraphs(command.get("discussion", ""))
    return lines


def page(command: Command, root: Command, version: str, date: str) -> list[str]:
    """Returns the page of a subcommand."""
    common = {key(item) for item in root["arguments"]}
    lines = [*head(command, version, date), *body(command, common), *entries(command, common, True)]
    if children := nested(command, common):
        lines += [".SH COMMANDS", *children]
    lines += [".SH \"COMMON OPTIONS\""]
    for argument in shown(root["arguments"]):
        lines += entry(argument)
    return [*lines, ".SH \"SEE ALSO\"", ".BR earshot (1)"]


def overview(root: Command, version: str, date: str) -> list[str]:
    """Returns the page of the command itself."""
    lines = [*head(root, version, date), *body(root, set()), ".SH COMMANDS",
             "Each command has a page of its own, such as \\fBearshot\\-node\\fR(1)."]
    for child in subcommands(root):
        lines += [".TP", f"\\fB{escape(child['commandName'])}\\fR", escape(child.get("abstract", "")) or "\\&"]
    lines += [".SH OPTIONS"]
    for argument in shown(root["arguments"]):
        lines += entry(argument)
    also = [f".BR {escape(full_name(child).replace(' ', '-'))} (1)" for child in subcommands(root)]
    return [*lines, *FILES, ".SH \"SEE ALSO\"", *[line + "," for line in also[:-1]], also[-1]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the man pages of the command from its help.")
    parser.add_argument("--version", required=True, help="the version of the command")
    parser.add_argument("--date", required=True, help="the date in the pages, such as 2026-01-31")
    parser.add_argument("folder", type=Path, help="the folder for the pages")
    options = parser.parse_args()
    tool = json.load(sys.stdin)
    if tool["serializationVersion"] != 0:
        sys.exit("manual: the command prints its help in an unknown format")
    root = tool["command"]
    options.folder.mkdir(parents=True, exist_ok=True)
    pages = {"earshot": overview(root, options.version, options.date)}
    for command in subcommands(root):
        name = full_name(command).replace(" ", "-")
        pages[name] = page(command, root, options.version, options.date)
    for name, lines in pages.items():
        (options.folder / f"{name}.1").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
