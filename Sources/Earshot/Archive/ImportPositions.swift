/// The positions for the messages of an import in a conversation: messages that are older than those here go before
/// them, the others behind.
struct ImportPositions: Sendable {
    /// The next free position before the messages that are here; nil if there is no room.
    private var next: UInt64?
    /// The lowest position that is taken.
    let lowest: UInt64
    /// The newest message that is here; empty if there is none.
    let newest: [UInt8]
    /// The time at which this node received that message.
    ///
    /// Units: milliseconds since 1970.
    let newestTime: UInt64
    /// Whether the import has passed that message: the following messages are newer, even if they came in the same
    /// moment.
    private var isPast = false

    init(next: UInt64? = nil, lowest: UInt64 = 0, newest: [UInt8] = [], newestTime: UInt64 = 0) {
        self.next = next
        self.lowest = lowest
        self.newest = newest
        self.newestTime = newestTime
    }

    /// Notes a message that is here already.
    mutating func pass(_ id: [UInt8]) { isPast = isPast || id == newest }

    /// Returns the position before the messages that are here for a message received then; nil if it goes behind.
    mutating func take(_ receivedAt: UInt64) -> UInt64? {
        guard !isPast, receivedAt <= newestTime, let place = next, place < lowest else { return nil }
        next = place + 1
        return place
    }
}
