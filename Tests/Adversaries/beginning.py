"""The way to the programs of Tests/Interop and Tests/Far, which the attackers use."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
for folder in (TESTS / "Far", TESTS / "Interop"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
