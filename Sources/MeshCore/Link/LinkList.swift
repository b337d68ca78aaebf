/// The established links of a node, in the order of their ids.
///
/// A link is large. The values that are read most often are stored beside the links, so that no reader has to go
/// through the links.
/// Invariant: each entry has the state of the link at the same position.
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
            // A touched link is flushed before its deadline is read, and the deadline is expensive to compute.
            if !link.isTouched { deadline = link.nextDeadline }
            isOver = link.end != nil
            isTouched = link.isTouched
            reassemblyByteCount = link.reassembly.byteCount
        }
    }

    private var links: [Link] = []
    private var entries: [Entry] = []
    /// The size of the messages in reassembly on all links.
    ///
    /// Units: bytes.
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

    /// The time of the first own action of any link.
    var nextDeadline: MeshInstant {
        var deadline = MeshInstant.distantFuture
        for entry in entries { deadline = Swift.min(deadline, entry.deadline) }
        return deadline
    }

    /// Whether any link has ended.
    var hasEnded: Bool { entries.contains { $0.isOver } }

    /// Returns whether the link at a position has something to do.
    func isDue(at index: Int, now: MeshInstant) -> Bool { entries[index].deadline <= now }

    /// Returns whether the link at a position may have something to send.
    func isTouched(at index: Int) -> Bool { entries[index].isTouched }

    /// Whether any link may have something to send.
    var hasTouched: Bool { entries.contains { $0.isTouched } }

    /// Returns the smoothed round trip of the link at a position; nil before the first sample.
    func roundTrip(at index: Int) -> Duration? {
        links[index].roundTrip.isMeasured ? links[index].roundTrip.smoothed : nil
    }

    /// Returns the position of a link.
    func index(of link: LinkID) -> Int? { entries.firstIndex { $0.id == link } }

    /// Returns the position of the link with this local connection number.
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
