/// The link table together with what it has asked for and nobody has carried out yet.
struct LinkLayer: LinkSending, Sendable {
    var table: LinkTable
    var effects: [LinkEffect] = []

    mutating func send(_ message: [UInt8], lane: Lane, tag: UInt64, on link: LinkID, now: MeshInstant) -> Bool {
        table.send(message, lane: lane, tag: tag, on: link, now: now, into: &effects)
    }

    func roundTrip(of link: LinkID) -> Duration? {
        table.links.first { $0.id == link }?.roundTrip
    }
}
