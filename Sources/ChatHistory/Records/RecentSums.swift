/// The sums of the conversations whose messages changed last, in the order of their changes.
///
/// They are part of the head, so that a batch for one of these conversations writes the head and no further row.
/// Invariant: each conversation occurs once, none with an empty sum.
struct RecentSums: Equatable {
    private var entries: [Entry] = []

    private struct Entry: Equatable {
        let conversation: RowID
        let sum: RowSum
    }

    /// Makes an empty list.
    init() {}

    /// The sum of a conversation, if it is in the list.
    subscript(_ conversation: RowID) -> RowSum? {
        entries.last { $0.conversation == conversation }?.sum
    }

    /// All sums in the list.
    var sums: [RowID: RowSum] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.conversation, $0.sum) })
    }

    /// Puts a sum at the end; an empty sum is left out.
    mutating func set(_ sum: RowSum, of conversation: RowID) {
        if let index = entries.lastIndex(where: { $0.conversation == conversation }) { entries.remove(at: index) }
        if sum != RowSum() { entries.append(Entry(conversation: conversation, sum: sum)) }
    }

    /// Removes and returns the oldest sum while the list is longer than the head allows; nil otherwise.
    mutating func takeSurplus() -> (conversation: RowID, sum: RowSum)? {
        guard entries.count > HistoryLimits.recentSumCount else { return nil }
        let first = entries.removeFirst()
        return (first.conversation, first.sum)
    }

    /// Appends the list to bytes.
    ///
    /// Shape: count u8, then for each conversation its id 16 and its sum 40.
    func encode(into bytes: inout [UInt8]) {
        bytes.append(UInt8(entries.count))
        for entry in entries {
            bytes.append(entry.conversation)
            entry.sum.append(to: &bytes)
        }
    }

    /// Reads the output of `encode` from the start of bytes; nil for anything else.
    init?(decoding rest: inout ArraySlice<UInt8>) {
        guard let count = rest.popFirst(), count <= HistoryLimits.recentSumCount else { return nil }
        for _ in 0..<count {
            let bytes = rest.prefix(RowID.byteCount + RowSum.byteCount)
            guard let conversation = RowID(bytes: bytes.prefix(RowID.byteCount)),
                let sum = RowSum(bytes: bytes.dropFirst(RowID.byteCount)),
                sum != RowSum(), self[conversation] == nil
            else { return nil }
            set(sum, of: conversation)
            rest = rest.dropFirst(bytes.count)
        }
    }
}
