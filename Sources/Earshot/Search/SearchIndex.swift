package import ChatCrypto
package import ChatHistory

/// The texts of messages, folded and side by side in memory; every search reads all of them.
///
/// A hundred thousand messages are about ten million bytes: reading them takes less time than a user notices, and
/// nothing but the texts has to be kept up to date. The texts are in segments of one size that never move, so that
/// wiping a segment leaves no copy behind. A removed message is wiped at once. If there is no room, the segment whose
/// newest message is the oldest is dropped.
/// Invariant: every message is in at most one segment; its bytes there are those that were last put in.
package struct SearchIndex: Sendable {
    private struct Place: Sendable {
        let segment: Int
        let entry: Int
    }

    private let byteCountLimit: Int
    private var segments: [Int: SearchSegment] = [:]
    private var places: [MessageID: Place] = [:]
    private var lastSegment = 0
    /// The time of the newest message that was put in.
    private(set) var newest: UInt64 = 0
    /// Messages that were dropped to make room.
    package private(set) var droppedCount = 0

    /// Makes an empty index.
    ///
    /// - Parameter byteCountLimit: Units: bytes, at least those of three segments.
    package init(byteCountLimit: Int) {
        precondition(byteCountLimit >= 3 * SearchLimits.segmentByteCount, "two segments and what is beside them")
        self.byteCountLimit = byteCountLimit
    }

    /// The messages that are in it.
    package var count: Int { places.count }

    /// Units: bytes that it takes.
    package var byteCount: Int {
        segments.count * SearchLimits.segmentByteCount + places.count * SearchLimits.entryByteCount
    }

    /// Whether the next segment displaces another.
    package var isFull: Bool {
        byteCount + SearchLimits.segmentByteCount + SearchLimits.entryByteCount > byteCountLimit
    }

    /// Whether a message can be put in without dropping another.
    func hasCapacity(for entry: SearchEntry) -> Bool {
        segments[lastSegment]?.hasCapacity(for: entry) == true || !isFull
    }

    /// Whether a message is in it.
    func contains(_ id: MessageID) -> Bool { places[id] != nil }

    /// Puts a message in, in place of its earlier state.
    package mutating func put(_ entry: SearchEntry) {
        // Most writes of a message change nothing that is searched.
        if let place = places[entry.id], segments[place.segment]?.holds(entry, at: place.entry) == true { return }
        remove(entry.id)
        newest = max(newest, entry.time)
        if segments[lastSegment]?.hasCapacity(for: entry) != true {
            while isFull, dropOldest() {}
            lastSegment += 1
            segments[lastSegment] = SearchSegment()
        }
        while byteCount > byteCountLimit, dropOldest() {}
        guard let number = segments[lastSegment]?.append(entry) else { return }
        places[entry.id] = Place(segment: lastSegment, entry: number)
    }

    /// Wipes a message.
    package mutating func remove(_ id: MessageID) {
        guard let place = places.removeValue(forKey: id) else { return }
        segments[place.segment]?.remove(place.entry)
        if segments[place.segment]?.isEmpty == true, place.segment != lastSegment { segments[place.segment] = nil }
    }

    /// Wipes the messages of a conversation.
    package mutating func removeAll(of conversation: RowID) {
        for id in segments.values.flatMap({ $0.messages(of: conversation) }) { remove(id) }
    }

    /// Wipes everything.
    package mutating func wipe() {
        for number in Array(segments.keys) { segments[number]?.wipe() }
        self = SearchIndex(byteCountLimit: byteCountLimit)
    }

    /// Returns the messages that have all words and match the filter, newest first.
    package func matches(_ terms: SearchTerms, _ filter: SearchFilter) -> [MessageID] {
        var found: [(time: UInt64, id: MessageID)] = []
        for number in segments.keys.sorted() {
            segments[number]?.find(terms, filter) { found.append(($0, $1)) }
        }
        found.sort { ($0.time, $0.id) > ($1.time, $1.id) }
        return found.map(\.id)
    }

    /// Drops the segment whose newest message is the oldest; returns false if there is none but the last.
    private mutating func dropOldest() -> Bool {
        let others = segments.filter { $0.key != lastSegment }
        guard let oldest = others.min(by: { ($0.value.newest, $0.key) < ($1.value.newest, $1.key) }) else {
            return false
        }
        for id in oldest.value.messages(of: nil) {
            places[id] = nil
            droppedCount += 1
        }
        segments[oldest.key]?.wipe()
        segments[oldest.key] = nil
        return true
    }
}
