/// The link table together with what it has asked for and nobody has carried out yet.
struct LinkLayer: LinkSending, Sendable {
    var table: LinkTable
    var effects: [LinkEffect] = []
    /// Units: bytes of messages taken to be sent.
    var sentByteCounts: [Lane: Int] = [:]
    /// Units: copies of envelopes whose way nobody here asks about: those of others.
    var relayedCount = 0

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        guard table.send(message, lane: lane, tag: tag, on: link) else { return false }
        sentByteCounts[lane, default: 0] += message.count
        if tag == 0, let first = message.first, first >> 4 == Envelope.version { relayedCount += 1 }
        return true
    }

    func roundTrip(of link: LinkID) -> Duration? {
        table.links.first { $0.id == link }?.roundTrip
    }
}
