import Bytes
import CPNG

#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks PNGs with changed bytes, mostly with checksums that match the changes.
func fuzzPNG(_ input: [UInt8]) {
    var choices = Choices(input)
    let longestEdge = choices.flag() ? 1 + Int(choices.byte() % 32) : nil
    let isRepaired = choices.byte() % 8 != 0
    let bytes = choices.candidate(like: cleanableExamples)
    checkCleaning(isRepaired ? repaired(bytes) : bytes, longestEdge: longestEdge)
}

private let cleanableExamples = cleanable(examples)

private let examples: [[UInt8]] = {
    var opaque = slopes
    for place in opaque.pixels.indices { opaque.pixels[place] |= 0xFF00_0000 }
    let twoColors = Bitmap(width: 9, height: 9)
    return [slopes, opaque, twoColors].compactMap(PNGCodec.encode).map { bytes in
        let exif = [0, 0, 0, UInt8(turned.count)] + Array("eXIf".utf8) + turned + [0, 0, 0, 0]
        let gamma = [0, 0, 0, 4] + Array("gAMA".utf8) + [0, 1, 0x86, 0xA0, 0, 0, 0, 0]
        return bytes.prefix(33) + gamma + exif + bytes.dropFirst(33)
    }
}()

/// Returns the same chunks with correct checksums.
private func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var reader = ByteReader(bytes.dropFirst(8))
    var result = PNGChunks.signature
    while let count = reader.integer(UInt32.self), let checked = reader.take(Int(count) + 4), reader.skip(4) {
        let sum = UInt32(truncatingIfNeeded: crc32(0, Array(checked), uInt(checked.count)))
        result += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + checked
        result += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
    return result
}
