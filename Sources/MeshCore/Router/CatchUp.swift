/// The reading of others' shelves by a node that comes back.
///
/// Mail to the node that came in its absence lies where shelves cover it, and the own one may not. So a node that has
/// just started, or was without links for a minute, has each new neighbour offer its whole shelf for ten minutes. It
/// also links to nodes that keep the places which it has read least.
///
/// Source: PROTOCOL §5 coming back.
struct CatchUp: Sendable {
    private let configuration: RouterConfiguration
    /// The time since which the node has had no link; nil while it has one.
    private var aloneSince: MeshInstant?
    /// The time until which neighbours are read; nil before the first link.
    private var end: MeshInstant?
    /// For each first byte of places the number of neighbours whose shelf was read there.
    private var readCounts = [Int](repeating: 0, count: 256)
    /// The time of the next look at the links; the distant future while no store is full.
    private(set) var nextLook = MeshInstant.distantFuture

    init(configuration: RouterConfiguration, now: MeshInstant) {
        self.configuration = configuration
        aloneSince = now
    }

    /// Returns whether neighbours are read at this time.
    func isOn(at now: MeshInstant) -> Bool { end.map { now < $0 } ?? false }

    /// Begins if the node has been without links for long, or has just started.
    mutating func linkUp(now: MeshInstant) {
        defer { aloneSince = nil }
        guard let aloneSince, end == nil || aloneSince.advanced(by: configuration.absence) <= now else { return }
        end = now.advanced(by: configuration.catchUpTime)
        readCounts = readCounts.map { _ in 0 }
    }

    /// Notes that the last link has ended.
    mutating func becameAlone(now: MeshInstant) {
        aloneSince = now
        nextLook = .distantFuture
    }

    /// Plans a look at the links, since a neighbour's shelf is not everything.
    mutating func planLook(now: MeshInstant) {
        guard isOn(at: now) else { return }
        nextLook = min(nextLook, now.advanced(by: configuration.catchUpInterval))
    }

    /// Returns whether a look at the links is due.
    ///
    /// If so, none is planned any more.
    mutating func takeLook(now: MeshInstant) -> Bool {
        guard nextLook <= now else { return false }
        nextLook = .distantFuture
        return isOn(at: now)
    }

    /// Notes that a neighbour's shelf has been read.
    mutating func noteRead(_ shelf: Shelf) {
        for byte in shelf.firstBytes { readCounts[byte] += 1 }
    }

    /// Returns the first bytes of the places that were read least, counting those that are being read; none if all were
    /// read enough.
    func leastRead(besides ranges: [Shelf]) -> Set<Int> {
        var counts = readCounts
        for range in ranges {
            for byte in range.firstBytes { counts[byte] += 1 }
        }
        guard let least = counts.min(), least < configuration.catchUpCount else { return [] }
        return Set(counts.indices.filter { counts[$0] == least })
    }
}
