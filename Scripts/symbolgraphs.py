"""The symbol graphs of the built library modules, for Scripts/api and Scripts/docs."""
import glob
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPORT = re.compile(r"^@_exported public import ((?:\w+ )?(\w+)\S*)$", re.MULTILINE)


def output(*command):
    """Returns what a command prints; ends the script with its errors if it fails."""
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {' '.join(map(str, command[:4]))} failed")
    return result.stdout


def build():
    """Builds in the way of the gate, for another one would compile everything anew."""
    output("Scripts/build", "--build-tests")


def exports(module):
    """Returns what a module re-exports, as pairs of the text of the import and the module that is imported."""
    texts = [path.read_text() for path in (ROOT / "Sources" / module).rglob("*.swift")]
    return sorted({match.groups() for text in texts for match in EXPORT.finditer(text)})


def modules():
    """Returns the modules of all library products, with those that they re-export."""
    products = json.loads(output("swift", "package", "dump-package"))["products"]
    found = {target for product in products if "library" in product["type"] for target in product["targets"]}
    return sorted(found | {name for module in found for _, name in exports(module)})


def import_options():
    """Returns the options with which the compiler finds the built modules, and the modules of C below them."""
    maps = glob.glob("Sources/C*/module.modulemap", root_dir=ROOT)
    maps += glob.glob("Sources/C*/include/module.modulemap", root_dir=ROOT)
    maps += glob.glob(".build/debug/*.build/module.modulemap", root_dir=ROOT)
    maps += glob.glob(".build/checkouts/*/Sources/**/module.modulemap", root_dir=ROOT, recursive=True)
    flags = [f"-fmodule-map-file={path}" for path in maps]
    flags += output("pkg-config", "--cflags", "opus", "libpng", "libsixel").split()
    return ["-I", ".build/debug/Modules", "-module-cache-path", ".build/debug/ModuleCache",
            *(part for flag in flags for part in ("-Xcc", flag))]


def extract(names, folder, *options):
    """Writes the symbol graphs of the modules into a folder."""
    triple = json.loads(output("swift", "-print-target-info"))["target"]["unversionedTriple"]
    imports = import_options()
    for name in names:
        output("swift", "symbolgraph-extract", "-module-name", name, "-target", triple, *imports,
               "-minimum-access-level", "public", "-skip-synthesized-members", *options, "-output-dir", folder)
