/// The link table together with its effects that are not yet carried out.
struct LinkLayer: LinkSending, Sendable {
    var table: LinkTable
    var effects: [LinkEffect] = []
    /// The size of the messages accepted for sending.
    ///
    /// Units: bytes.
    var sentByteCounts = LaneCounts()
    /// The copies of envelopes without a tag: those of other nodes.
    var relayedCount = 0
    /// The live datagrams accepted for sending.
    var sentLiveCount = 0

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        guard table.send(message, lane: lane, tag: tag, on: link) else { return false }
        sentByteCounts[lane] += message.count
        if tag == 0, let first = message.first, first >> 4 == Envelope.version { relayedCount += 1 }
        return true
    }

    mutating func sendLive(_ bytes: [UInt8], on link: LinkID, now: MeshInstant) -> Bool {
        guard table.sendDatagram(bytes, on: link, now: now) else { return false }
        sentLiveCount += 1
        return true
    }

    func roundTrip(of link: LinkID) -> Duration? {
        table.roundTrip(of: link)
    }
}
