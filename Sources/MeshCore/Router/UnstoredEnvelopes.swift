/// The latest envelopes that the store does not take, for neighbours that request announced envelopes.
///
/// A full buffer discards the oldest envelope.
package struct UnstoredEnvelopes: Sendable {
    private let countLimit: Int
    private let byteLimit: Int
    private var entries: [UInt64: (envelope: Envelope, deadline: MeshInstant)] = [:]
    private var order = Fifo<UInt64>()
    /// The size of the bodies.
    ///
    /// Units: bytes.
    package private(set) var byteCount = 0

    init(countLimit: Int, byteLimit: Int) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    var count: Int { entries.count }

    mutating func insert(_ envelope: Envelope, shortID: UInt64, now: MeshInstant) {
        guard entries[shortID] == nil else { return }
        entries[shortID] = (envelope, StoragePolicy.deadline(life: envelope.life, now: now))
        order.append(shortID)
        byteCount += envelope.body.count
        while let first = order.first, order.count > countLimit || byteCount > byteLimit {
            order.removeFirst()
            byteCount -= entries.removeValue(forKey: first)?.envelope.body.count ?? 0
        }
    }

    /// Returns the encoded envelope with its remaining life; nil if no life is left or the envelope is unknown.
    func message(_ shortID: UInt64, now: MeshInstant) -> [UInt8]? {
        guard var entry = entries[shortID] else { return nil }
        entry.envelope.life = StoragePolicy.life(until: entry.deadline, now: now)
        return entry.envelope.life > 0 ? entry.envelope.encoded() : nil
    }
}
