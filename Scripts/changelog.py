#!/usr/bin/env python3
"""Prints CHANGELOG.md in Debian's format.

    Scripts/changelog.py --version 0.1.0-0earshot1 --date SECONDS --maintainer "NAME <ADDRESS>" < CHANGELOG.md

The version is that of the newest section. Each older section has the version in its heading. The format wants a date
for each; CHANGELOG.md has none, so all get the same one.
"""

from __future__ import annotations

import argparse
import email.utils
import re
import sys
import textwrap

SUFFIX = "-0earshot1"


def sections(text: str) -> list[tuple[str, list[str]]]:
    """Returns the versions of a changelog, the newest first, with the lines of each."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if match := re.match(r"## (\S+)", line):
            found.append((match[1], []))
        elif found:
            found[-1][1].append(line)
    return found


def blocks(lines: list[str]) -> list[str]:
    """Joins the lines of each heading, point and paragraph."""
    found = [""]
    for line in lines:
        if not line.strip():
            found.append("")
        elif line.startswith(("- ", "#")):
            found.append(line)
        else:
            found[-1] = f"{found[-1]} {line.strip()}".strip()
    return [block for block in found if block]


def change(block: str) -> list[str]:
    """Returns a heading or a point as Debian writes it."""
    block = block.replace("`", "").replace("**", "")
    if block.startswith("#"):
        return ["", f"  [ {block.lstrip('# ')} ]"]
    return textwrap.wrap(block.removeprefix("- "), 78, initial_indent="  * ", subsequent_indent="    ",
                         break_long_words=False, break_on_hyphens=False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints CHANGELOG.md in Debian's format.")
    parser.add_argument("--version", required=True, help="the version of the package")
    parser.add_argument("--date", required=True, type=int, help="the date of the package, in seconds since 1970")
    parser.add_argument("--maintainer", required=True, help="the name and the address of the maintainer")
    options = parser.parse_args()
    date = email.utils.formatdate(options.date)
    versions = sections(sys.stdin.read())
    if not versions:
        sys.exit("changelog: there is no version in the input")
    for index, (version, lines) in enumerate(versions):
        print(f"earshot ({version + SUFFIX if index else options.version}) unstable; urgency=medium\n")
        changes = [line for block in blocks(lines) for line in change(block)]
        print("\n".join(changes).strip("\n"))
        print(f"\n -- {options.maintainer}  {date}\n")


if __name__ == "__main__":
    main()
