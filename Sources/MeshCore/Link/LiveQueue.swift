/// Live datagrams that wait to be sent: never for long, and never again.
///
/// Source: PROTOCOL §3.5.
struct LiveQueue {
    private let limit: Int
    private let life: Duration
    private var waiting = Fifo<(bytes: [UInt8], dueBy: MeshInstant)>()

    /// Keeps at most `limit` datagrams, none longer than `life`.
    init(limit: Int, life: Duration) {
        self.limit = limit
        self.life = life
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Takes a datagram, if there is room.
    mutating func append(_ bytes: [UInt8], now: MeshInstant) -> Bool {
        guard waiting.count < limit else { return false }
        waiting.append((bytes, now.advanced(by: life)))
        return true
    }

    /// Forgets what has waited too long; how many.
    mutating func dropExpired(now: MeshInstant) -> Int {
        var count = 0
        while let first = waiting.first, first.dueBy <= now {
            waiting.removeFirst()
            count += 1
        }
        return count
    }

    /// The next datagram, if its frame fits `room` bytes.
    mutating func next(room: Int) -> [UInt8]? {
        guard let first = waiting.first, first.bytes.count + LinkProtocol.liveHeaderByteCount <= room else {
            return nil
        }
        waiting.removeFirst()
        return first.bytes
    }
}
