/// A builder of GIFs: every pixel is a code of eight bits, so that no packing is needed.
struct GIFBuilder {
    private(set) var bytes: [UInt8]

    /// Begins a file with a palette of 128 shades that differ in all colours.
    init(width: Int, height: Int) {
        bytes = Array("GIF89a".utf8) + little(width) + little(height) + [0b1111_0110, 0, 0]
        bytes += (0..<128).flatMap { (shade: UInt8) -> [UInt8] in [shade * 2, 255 - shade * 2, shade] }
    }

    mutating func addRounds(_ count: Int) {
        addExtension(0xFF, blocks: [Array("NETSCAPE2.0".utf8), [1] + little(count)])
    }

    mutating func addTiming(_ duration: Int, flags: UInt8 = 0, transparent: UInt8 = 0) {
        addExtension(0xF9, blocks: [[flags] + little(duration) + [transparent]])
    }

    mutating func addExtension(_ code: UInt8, blocks: [[UInt8]]) {
        bytes += [0x21, code] + blocks.flatMap { [UInt8($0.count)] + $0 } + [0]
    }

    /// Adds a frame of one index a pixel, at most 127.
    mutating func addFrame(
        left: Int = 0,
        top: Int = 0,
        width: Int,
        height: Int,
        isInterlaced: Bool = false,
        palette: [UInt8] = [],
        hidden: [UInt8] = [],
        index: (Int) -> UInt8
    ) {
        bytes += [0x2C] + little(left) + little(top) + little(width) + little(height)
        bytes += [(isInterlaced ? 0x40 : 0) | (palette.isEmpty ? 0 : 0x86)] + palette + [7]
        // Clears the table before it outgrows codes of eight bits.
        let codes =
            (0..<width * height).flatMap { place -> [UInt8] in
                place % 100 == 0 ? [128, index(place)] : [index(place)]
            } + [129]
        let data = codes + hidden
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes += [UInt8(block.count)] + block
        }
        bytes += [0]
    }

    /// The complete file, with its trailer.
    var finished: [UInt8] { bytes + [0x3B] }
}

/// Encodes a number in two bytes, the lower first.
func little(_ value: Int) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)]
}

extension GIFBuilder {
    /// Makes three frames with different positions, times, palettes and disposals, shown five times over.
    static func sample(secret: String? = nil) -> [UInt8] {
        var gif = GIFBuilder(width: 20, height: 14)
        gif.addRounds(5)
        if let secret {
            gif.addExtension(0xFE, blocks: [Array(secret.utf8)])
            gif.addExtension(0xFF, blocks: [Array("SECRETAP1.0".utf8), Array(secret.utf8)])
            gif.addTiming(9)
            gif.addExtension(0x01, blocks: [[UInt8](repeating: 0, count: 12), Array(secret.utf8)])
            gif.addExtension(0x77, blocks: [Array(secret.utf8)])
        }
        let hidden = Array((secret ?? "").utf8)
        gif.addTiming(12, flags: 0b0000_0101, transparent: 3)
        gif.addFrame(width: 20, height: 14, hidden: hidden) { UInt8($0 % 120) }
        gif.addTiming(250, flags: 0b0000_1000)
        gif.addFrame(left: 3, top: 2, width: 11, height: 9, isInterlaced: true, hidden: hidden) { UInt8($0 % 99) }
        let palette = (0..<128).flatMap { (shade: UInt8) -> [UInt8] in [shade, shade, 255] }
        gif.addFrame(left: 1, top: 1, width: 5, height: 5, palette: palette) { UInt8($0) }
        if let secret { gif.addExtension(0xFE, blocks: [Array(secret.utf8)]) }
        return gif.finished + hidden
    }
}
