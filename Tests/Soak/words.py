"""The words of a run, by which plain text is found."""

from __future__ import annotations

import base64
import random
import string

PEOPLE = ("Calliope", "Terpsichore", "Melpomene", "Polyhymnia", "Euphrosyne", "Pasithea", "Mnemosyne", "Persephone",
          "Andromeda", "Cassandra", "Penelope", "Antigone")
CONTROL = b"earshot-soak-control-datagram"
LONG_SHARE, LONG_COUNT = 0.1, 60


class Words:
    """Texts and titles with a marker that nothing else has."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.marker = "Q" + "".join(rng.choices(string.ascii_letters, k=15))
        self.titles: list[str] = []

    def title(self, what: str) -> str:
        self.titles.append(f"{what} {len(self.titles)} {''.join(self.rng.choices(string.ascii_lowercase, k=12))}")
        return self.titles[-1]

    def text(self, number: int) -> str:
        """Returns a text that no other message has; one in ten is long."""
        count = self.rng.randrange(LONG_COUNT) if self.rng.random() < LONG_SHARE else self.rng.randrange(3)
        return f"{self.marker} {number}" + f" {self.marker} again" * count

    def secrets(self) -> list[tuple[str, bytes]]:
        """Returns what must be in clear nowhere, in several forms."""
        plain = {"the text of a message": self.marker}
        plain |= {f"the title {title}": title for title in self.titles}
        plain |= {f"the name {name}": name for name in PEOPLE}
        return [(what, form) for what, text in plain.items() for form in forms(text)]


def forms(text: str) -> list[bytes]:
    """Returns a text in UTF-8 and UTF-16, in hexadecimal digits, and in Base64 at each offset."""
    plain = text.encode()
    found = [plain, text.encode("utf-16-le"), plain.hex().encode()]
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + plain).rstrip(b"=")
        # The first and last digits depend on what stands around.
        found.append(coded[4 if offset else 0:-2])
    return found
