/// The link table together with what it has asked for and nobody has carried out yet.
struct LinkLayer: LinkSending, Sendable {
    var table: LinkTable
    var effects: [LinkEffect] = []
    /// Units: bytes of messages taken to be sent.
    var sentByteCounts = LaneCounts()
    /// Units: copies of envelopes whose way nobody here asks about: those of others.
    var relayedCount = 0
    /// Live datagrams taken to be sent.
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
