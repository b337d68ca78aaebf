"""Reads pictures of Sixel, by DEC's manual of the VT330 (volume 2, chapter 14)."""
import re

TOKEN = re.compile(rb'"[\d;]*|#[\d;]+|!\d+[?-~]|[?-~]|\$|-')


class Picture:
    """What the part of a sequence after its `q` draws."""

    def __init__(self, body):
        self.width = self.height = 0
        self.pixels = {}
        colours, colour, x, band, place = {}, None, 0, 0, 0
        while place < len(body):
            token = TOKEN.match(body, place)
            assert token, f"No Sixel: {body[place:place + 20]}"
            place = token.end()
            kind, rest = token.group()[:1], token.group()[1:]
            if kind == b'"':
                self.width, self.height = [int(number) for number in rest.split(b";")][2:4]
            elif kind == b"#":
                numbers = [int(number) for number in rest.split(b";")]
                colour = numbers[0]
                if len(numbers) == 5:
                    assert numbers[1] == 2, "Colours are told in red, green and blue."
                    colours[colour] = [round(share * 255 / 100) for share in numbers[2:]]
            elif kind == b"$":
                x = 0
            elif kind == b"-":
                x, band = 0, band + 6
            else:
                count = int(rest[:-1]) if kind == b"!" else 1
                bits = (rest[-1] if kind == b"!" else kind[0]) - 63
                for column in range(x, x + count):
                    for row in range(6):
                        if bits >> row & 1:
                            self.pixels[column, band + row] = colours[colour]
                x += count

    @property
    def is_full(self):
        """Whether each pixel of the size that is told was drawn, and none beside it."""
        return set(self.pixels) == {(x, y) for x in range(self.width) for y in range(self.height)}
