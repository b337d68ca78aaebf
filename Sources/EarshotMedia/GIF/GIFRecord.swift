/// The next record of a GIF.
///
/// Source: GIF89a, 20 to 27; Netscape's looping block.
enum GIFRecord {
    /// The timing of the next frame.
    case timing(GIFTiming)
    /// The number of rounds of the animation; 0 for endless.
    case rounds(UInt16)
    /// A block of text; a timing before it belongs to it.
    case text
    /// A comment, or the data of an application.
    case other
    /// A frame, whose rows follow.
    case frame(GIFFrame)
    /// The end of the file.
    case end
}

/// The position and the size of a frame on the canvas.
struct GIFFrame: Equatable {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    /// Whether its rows come in four passes.
    let isInterlaced: Bool
    /// The number of colours of its palette; all indices are smaller.
    let colorCount: Int
}

/// The presentation of a frame: its time, its transparent index, and the disposal after it.
struct GIFTiming: Equatable {
    /// Shape: flags, hundredths of a second (2, little-endian), transparent index.
    let bytes: [UInt8]

    /// The index of the pixels that show nothing; nil if all pixels show something.
    var transparentIndex: UInt8? { bytes[0] & 1 == 0 ? nil : bytes[3] }

    /// Reads the block, and clears the bits without a meaning and the one that waits for a key.
    init?(_ block: some Collection<UInt8>) {
        guard block.count == 4 else { return nil }
        bytes = Array(block.prefix(1)).map { $0 & 0b0001_1101 } + block.dropFirst()
    }
}
