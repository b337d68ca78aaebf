/// The limits of the search; PROTOCOL §12 lists them with their reasons.
package enum SearchLimits {
    /// Units: bytes that the texts of the home's messages take in memory so that they are found at once.
    package static let byteCount = 128 << 20
    /// The same for one room.
    package static let roomByteCount = 8 << 20
    /// Units: bytes of one segment of that memory, which is dropped as a whole.
    package static let segmentByteCount = 1 << 20
    /// Units: bytes that are counted for a message beside its text.
    package static let entryByteCount = 160
    /// Units: bytes of one message that are searched: the longest text, the names of its files, and what folding adds.
    package static let messageByteCount = 128 * 1_024
    /// Messages that are read in one step; between two steps the node does other work.
    package static let stepCount = 128
    /// Units: bytes of UTF-8 of a query.
    package static let queryByteCount = 1_024
    /// Words and phrases that are searched for at once.
    package static let termCount = 16
    /// Messages in one answer.
    package static let hitCount = 1_000
    /// Places that are marked in one message.
    package static let markCount = 256
}
