"""Nicknames and titles: length, NFC and the characters they may have (PROTOCOL §6.1)."""

from __future__ import annotations

import unicodedata

_REFUSED = """0-1F 7F-9F AD 34F 600-605 61C 6DD 70F 890-891 8E2 115F-1160 17B4-17B5 180B-180F 200B 200E-200F 2028-202E
2060-206F 2800 3164 E000-F8FF FDD0-FDEF FE00-FE0D FEFF FFA0 FFF0-FFFC 110BD 110CD 13430-1343F 1BCA0-1BCA3 1D159
1D173-1D17A E0000-10FFFF"""
_PICTURES = "203C-3299 1F000-1FAFF"
_JOINING = "600-109F 1780-18AF A840-ABFF 10A00-11FFF"
_UNSEEN = "20 A0 1680 2000-200A 202F 205F 3000 200C-200D FE0E-FE0F 300-36F 1AB0-1AFF 1DC0-1DFF 20D0-20FF FE20-FE2F"


def _ranges(text: str) -> list[range]:
    pairs = [part.split("-") for part in text.split()]
    return [range(int(pair[0], 16), int(pair[-1], 16) + 1) for pair in pairs]


def _within(point: int, ranges: list[range]) -> bool:
    return any(point in one for one in ranges)


REFUSED, JOINING, UNSEEN = _ranges(_REFUSED), _ranges(_JOINING), _ranges(_UNSEEN)
PICTURES = _ranges(_PICTURES)
BEFORE_SELECTOR = _ranges("23 2A 30-39 A9 AE " + _PICTURES)


def _fits(points: list[int], at: int) -> bool:
    """Checks one character beside its neighbours."""
    point = points[at]
    before = points[at - 1] if at else -1
    after = points[at + 1] if at + 1 < len(points) else -1
    if _within(point, REFUSED) or point & 0xFFFE == 0xFFFE:
        return False
    if point in (0xFE0E, 0xFE0F):
        return _within(before, BEFORE_SELECTOR)
    if point in (0x200C, 0x200D):
        letters = _within(before, JOINING) and _within(after, JOINING)
        pictures = (_within(before, PICTURES) or before == 0xFE0F) and _within(after, PICTURES)
        return letters or point == 0x200D and pictures
    return True


def name_is_good(data: bytes, limit: int = 32) -> bool:
    """Tells whether bytes are a name of 1 to `limit` bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    points = [ord(character) for character in text]
    if not 1 <= len(data) <= limit or unicodedata.normalize("NFC", text) != text:
        return False
    return all(_fits(points, at) for at in range(len(points))) and any(not _within(one, UNSEEN) for one in points)
