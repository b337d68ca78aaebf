/// What may follow next in a GIF.
///
/// Source: GIF89a, 20 to 27; Netscape's looping block.
enum GIFRecord {
    /// How the next frame is shown.
    case timing(GIFTiming)
    /// How often the animation runs; 0 is without end.
    case rounds(UInt16)
    /// A block of text, to which a timing before it belonged.
    case text
    /// A comment, or the data of some program.
    case other
    /// A frame, whose rows follow.
    case frame(GIFFrame)
    /// Nothing more.
    case end
}

/// Where a frame stands.
struct GIFFrame: Equatable {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    /// Whether its rows come in four passes.
    let isInterlaced: Bool
    /// How many colours its palette has; the indices are below.
    let colorCount: Int
}

/// How a frame is shown: for how long, what is transparent, what happens after.
struct GIFTiming: Equatable {
    /// Shape: flags, hundredths of a second (2, little-endian), transparent index.
    let bytes: [UInt8]

    /// The index of the pixels that show nothing; nil where all show something.
    var transparentIndex: UInt8? { bytes[0] & 1 == 0 ? nil : bytes[3] }

    /// Reads the block; bits that mean nothing, and the one that waits for a key, are cleared.
    init?(_ block: some Collection<UInt8>) {
        guard block.count == 4 else { return nil }
        bytes = Array(block.prefix(1)).map { $0 & 0b0001_1101 } + block.dropFirst()
    }
}
