/// Where the messages of an import go in a conversation: those older than what is here before it, the others behind.
struct ImportPlaces: Sendable {
    /// The next place before what is here; nil if there is no room.
    private var next: UInt64?
    /// The lowest place that is taken.
    let lowest: UInt64
    /// The newest message that is here; empty if there is none.
    let newest: [UInt8]
    /// When it came.
    ///
    /// Units: milliseconds since 1970.
    let newestTime: UInt64
    /// Whether the file has told it: what follows is newer, though it came in the same moment.
    private var isPast = false

    init(next: UInt64? = nil, lowest: UInt64 = 0, newest: [UInt8] = [], newestTime: UInt64 = 0) {
        self.next = next
        self.lowest = lowest
        self.newest = newest
        self.newestTime = newestTime
    }

    /// Notes a message that is here already.
    mutating func pass(_ id: [UInt8]) { isPast = isPast || id == newest }

    /// The place before what is here for a message that came then; nil if it goes behind.
    mutating func take(_ receivedAt: UInt64) -> UInt64? {
        guard !isPast, receivedAt <= newestTime, let place = next, place < lowest else { return nil }
        next = place + 1
        return place
    }
}
