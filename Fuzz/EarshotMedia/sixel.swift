#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks the output of pixels of any size and colours for a terminal: one sequence that draws within its size and
/// does nothing else.
func fuzzSixel(_ input: [UInt8]) {
    var choices = Choices(input)
    var bitmap = Bitmap(width: 1 + choices.number(below: 100), height: 1 + choices.number(below: 30))
    // A few colours, many that differ little, or noise from the remaining bytes.
    let (step, mask) = (UInt32(choices.byte()), UInt32(choices.byte()) * 0x0101_0101)
    let colours = choices.bytes(.max)
    for place in bitmap.pixels.indices {
        let colour = colours.isEmpty ? 0 : UInt32(colours[place % colours.count])
        bitmap.pixels[place] = (colour &* 0x0103_0709 &+ UInt32(truncatingIfNeeded: place) &* step) & mask
    }
    guard let sequence = SixelCodec.encode(bitmap) else { return precondition(bitmap.height < SixelCodec.bandHeight) }
    let start = Array("\u{1B}Pq\"1;1;\(bitmap.width);\(bitmap.height)".utf8)
    precondition(sequence.starts(with: start) && sequence.suffix(2) == Array("\u{1B}\\".utf8)[...])
    let drawing = sequence.dropFirst(2).dropLast(2)
    precondition(drawing.allSatisfy { (0x20..<0x7F).contains($0) })
    precondition(drawing.count { $0 == UInt8(ascii: "-") } == (bitmap.height - 1) / SixelCodec.bandHeight)
}
