/// The sums of the conversations whose messages changed last, in the order of their changes.
///
/// They are part of the head, so that a batch for one of these conversations writes the head and no further row.
/// Invariant: each conversation occurs once, none with an empty sum.
struct RecentDigests: Equatable {
    private var entries: [Entry] = []

    private struct Entry: Equatable {
        let conversation: RowID
        let digest: RowDigest
    }

    /// Makes an empty list.
    init() {}

    /// The sum of a conversation, if it is in the list.
    subscript(_ conversation: RowID) -> RowDigest? {
        entries.last { $0.conversation == conversation }?.digest
    }

    /// All sums in the list.
    var digests: [RowID: RowDigest] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.conversation, $0.digest) })
    }

    /// Puts a sum at the end; an empty sum is left out.
    mutating func set(_ digest: RowDigest, of conversation: RowID) {
        if let index = entries.lastIndex(where: { $0.conversation == conversation }) { entries.remove(at: index) }
        if digest != RowDigest() { entries.append(Entry(conversation: conversation, digest: digest)) }
    }

    /// Removes and returns the oldest sum while the list is longer than the head allows; nil otherwise.
    mutating func takeSurplus() -> (conversation: RowID, digest: RowDigest)? {
        guard entries.count > HistoryLimits.recentDigestCount else { return nil }
        let first = entries.removeFirst()
        return (first.conversation, first.digest)
    }

    /// Appends the list to bytes.
    ///
    /// Shape: count u8, then for each conversation its id 16 and its sum 40.
    func encode(into bytes: inout [UInt8]) {
        bytes.append(UInt8(entries.count))
        for entry in entries {
            bytes.append(entry.conversation)
            entry.digest.append(to: &bytes)
        }
    }

    /// Reads the output of `encode` from the start of bytes; nil for anything else.
    init?(decoding rest: inout ArraySlice<UInt8>) {
        guard let count = rest.popFirst(), count <= HistoryLimits.recentDigestCount else { return nil }
        for _ in 0..<count {
            let bytes = rest.prefix(RowID.byteCount + RowDigest.byteCount)
            guard let conversation = RowID(bytes: bytes.prefix(RowID.byteCount)),
                let digest = RowDigest(bytes: bytes.dropFirst(RowID.byteCount)),
                digest != RowDigest(), self[conversation] == nil
            else { return nil }
            set(digest, of: conversation)
            rest = rest.dropFirst(bytes.count)
        }
    }
}
