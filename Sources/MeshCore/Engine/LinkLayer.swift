/// The link table together with what it has asked for and nobody has carried out yet.
struct LinkLayer: LinkSending, Sendable {
    var table: LinkTable
    var effects: [LinkEffect] = []
    /// Units: bytes of messages taken to be sent.
    var sentByteCounts = LaneCounts()

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        guard table.send(message, lane: lane, tag: tag, on: link) else { return false }
        sentByteCounts[lane] += message.count
        return true
    }

    func roundTrip(of link: LinkID) -> Duration? {
        table.roundTrip(of: link)
    }
}
