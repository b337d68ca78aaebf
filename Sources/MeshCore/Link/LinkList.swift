/// The established links of a node, in the order of their ids.
///
/// A link is large; what is asked most often lies beside the links, so that nobody looks through them for it.
/// Invariant: each entry tells the state of the link at the same place.
struct LinkList: RandomAccessCollection, Sendable {
    private struct Entry {
        let id: LinkID
        let connection: UInt32
        var deadline = MeshInstant.distantFuture
        var isOver = false
        var isTouched = false
        var reassemblyByteCount = 0

        init(_ link: inout Link) {
            id = link.id
            connection = link.localConnection
            update(from: &link)
        }

        /// Takes the link by reference, since passing it as a value may copy it.
        mutating func update(from link: inout Link) {
            // A touched link is flushed before anybody asks for its deadline, which is dear to find.
            if !link.isTouched { deadline = link.nextDeadline }
            isOver = link.end != nil
            isTouched = link.isTouched
            reassemblyByteCount = link.reassembly.byteCount
        }
    }

    private var links: [Link] = []
    private var entries: [Entry] = []
    /// Units: bytes in reassembly on all links.
    private(set) var reassemblyByteCount = 0

    var startIndex: Int { 0 }
    var endIndex: Int { links.count }

    subscript(index: Int) -> Link {
        get { links[index] }
        _modify {
            defer { update(index) }
            yield &links[index]
        }
    }

    /// When the first link does something on its own.
    var nextDeadline: MeshInstant {
        var deadline = MeshInstant.distantFuture
        for entry in entries { deadline = Swift.min(deadline, entry.deadline) }
        return deadline
    }

    /// Whether any link is over.
    var hasEnded: Bool { entries.contains { $0.isOver } }

    /// Whether the link at a place has something to do.
    func isDue(at index: Int, now: MeshInstant) -> Bool { entries[index].deadline <= now }

    /// Whether the link at a place may have something to send.
    func isTouched(at index: Int) -> Bool { entries[index].isTouched }

    /// Whether any link may have something to send.
    var hasTouched: Bool { entries.contains { $0.isTouched } }

    /// The smoothed round trip of the link at a place; nil before the first sample.
    func roundTrip(at index: Int) -> Duration? {
        links[index].roundTrip.isMeasured ? links[index].roundTrip.smoothed : nil
    }

    /// The place of a link.
    func index(of link: LinkID) -> Int? { entries.firstIndex { $0.id == link } }

    /// The place of the link with this connection number here.
    func index(ofConnection connection: UInt32) -> Int? { entries.firstIndex { $0.connection == connection } }

    mutating func append(_ link: Link) {
        links.append(link)
        entries.append(Entry(&links[links.count - 1]))
        reassemblyByteCount += link.reassembly.byteCount
    }

    mutating func removeAll(where isUnwanted: (Link) -> Bool) {
        links.removeAll(where: isUnwanted)
        entries = links.indices.map { Entry(&links[$0]) }
        reassemblyByteCount = entries.reduce(0) { $0 + $1.reassemblyByteCount }
    }

    private mutating func update(_ index: Int) {
        reassemblyByteCount -= entries[index].reassemblyByteCount
        entries[index].update(from: &links[index])
        reassemblyByteCount += entries[index].reassemblyByteCount
    }
}
