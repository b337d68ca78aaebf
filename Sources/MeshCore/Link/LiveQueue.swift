/// The live datagrams that wait to be sent.
///
/// None waits long, and none is sent again.
///
/// Source: PROTOCOL §3.5.
struct LiveQueue {
    private let limit: Int
    private let life: Duration
    private var waiting = Fifo<(bytes: [UInt8], dueBy: MeshInstant)>()

    /// Creates a queue of at most `limit` datagrams, none of which waits longer than `life`.
    init(limit: Int, life: Duration) {
        self.limit = limit
        self.life = life
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Appends a datagram; returns false if there is no room.
    mutating func append(_ bytes: [UInt8], now: MeshInstant) -> Bool {
        guard waiting.count < limit else { return false }
        waiting.append((bytes, now.advanced(by: life)))
        return true
    }

    /// Discards datagrams that have waited too long; returns their number.
    mutating func dropExpired(now: MeshInstant) -> Int {
        var count = 0
        while let first = waiting.first, first.dueBy <= now {
            waiting.removeFirst()
            count += 1
        }
        return count
    }

    /// Removes and returns the next datagram if its frame fits `room` bytes.
    mutating func next(room: Int) -> [UInt8]? {
        guard let first = waiting.first, first.bytes.count + LinkProtocol.liveHeaderByteCount <= room else {
            return nil
        }
        waiting.removeFirst()
        return first.bytes
    }
}
