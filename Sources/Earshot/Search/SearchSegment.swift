import ChatCore
import ChatCrypto
import ChatHistory

/// A segment of the index: texts one behind the other, in memory that is allocated once and never grows.
///
/// Invariant: the bytes of removed messages are zero.
struct SearchSegment: Sendable {
    private struct Entry: Sendable {
        let id: MessageID
        let conversation: RowID
        let sender: PeerID
        let kind: MessageKind
        let time: UInt64
        let start: Int
        let end: Int
        var isLive = true
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var liveCount = 0
    /// The time of the newest message that was put in.
    private(set) var newest: UInt64 = 0

    init() {
        bytes.reserveCapacity(SearchLimits.segmentByteCount)
    }

    var isEmpty: Bool { liveCount == 0 }

    func hasCapacity(for entry: SearchEntry) -> Bool {
        bytes.count + entry.text.count <= SearchLimits.segmentByteCount
            && entries.count < SearchLimits.segmentByteCount / SearchLimits.entryByteCount
    }

    /// Adds a message; returns its number.
    mutating func append(_ entry: SearchEntry) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: entry.text)
        entries.append(
            Entry(
                id: entry.id,
                conversation: entry.conversation,
                sender: entry.sender,
                kind: entry.kind,
                time: entry.time,
                start: start,
                end: bytes.count
            )
        )
        liveCount += 1
        newest = max(newest, entry.time)
        return entries.count - 1
    }

    /// Whether the message has the same kind, time and text there.
    func holds(_ entry: SearchEntry, at number: Int) -> Bool {
        let held = entries[number]
        return held.kind == entry.kind && held.time == entry.time && bytes[held.start..<held.end] == entry.text[...]
    }

    /// Wipes a message.
    mutating func remove(_ number: Int) {
        guard entries[number].isLive else { return }
        let (start, end) = (entries[number].start, entries[number].end)
        bytes.withUnsafeMutableBytes { bytes in
            if start < end { UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]).wipe() }
        }
        entries[number].isLive = false
        liveCount -= 1
    }

    /// Wipes everything.
    mutating func wipe() {
        bytes.withUnsafeMutableBytes { $0.wipe() }
        entries = []
        liveCount = 0
    }

    /// Returns the messages of a conversation, or all.
    func messages(of conversation: RowID?) -> [MessageID] {
        entries.filter { $0.isLive && (conversation ?? $0.conversation) == $0.conversation }.map(\.id)
    }

    /// Passes the time and id of each message that has all words and matches the filter to `notify`.
    func find(_ terms: SearchTerms, _ filter: SearchFilter, _ notify: (UInt64, MessageID) -> Void) {
        // The longest needle is the one that most messages do not contain.
        guard let first = terms.needles.indices.max(by: { terms.needles[$0].count < terms.needles[$1].count }) else {
            for entry in entries where fits(entry, filter) { notify(entry.time, entry.id) }
            return
        }
        let search = ByteSearch(terms.needles[first])
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while let hit = search.first(in: UnsafeRawBufferPointer(rebasing: bytes[place...])) {
                let entry = entries[entries.partitioningIndex { $0.end > place + hit }]
                let text = UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.end])
                if fits(entry, filter), terms.areAll(in: text, but: first) { notify(entry.time, entry.id) }
                place = entry.end
            }
        }
    }

    private func fits(_ entry: Entry, _ filter: SearchFilter) -> Bool {
        entry.isLive
            && filter.fits(
                conversation: entry.conversation,
                sender: entry.sender,
                kind: entry.kind,
                time: entry.time
            )
    }
}
