/// The reading of others' shelves by a node that comes back.
///
/// Mail to the node that came in its absence lies where shelves cover it, and the own one may not. So a node that links
/// to a neighbour with a full store, and had no such neighbour for a minute, has each neighbour offer what came to its
/// whole shelf in the meantime. That goes on for ten minutes. In them the node also links to nodes that keep the places
/// which it has read least.
///
/// Source: PROTOCOL §5 coming back.
struct CatchUp: Sendable {
    /// Whether there is a neighbour whose store is full, and else since when there is none.
    private enum Company: Sendable {
        case never
        case present
        case missing(since: MeshInstant)
    }

    private let configuration: RouterConfiguration
    /// The time at which the node started.
    private let start: MeshInstant
    private var company = Company.never
    /// The time for which the node did not run before its start; nil if it is unknown.
    private var rest: Duration?
    /// The time until which neighbours are read; nil before the first of them.
    private var end: MeshInstant?
    /// The hours of which neighbours offer what came; 0 for all.
    private(set) var hours: UInt8 = 0
    /// The number of envelopes that may still be read.
    private var budget = 0
    /// For each first byte of places the number of neighbours whose shelf was read there.
    private var readCounts = [Int](repeating: 0, count: 256)
    /// The time of the next look at the links; the distant future while there is nothing to read.
    private(set) var nextLook = MeshInstant.distantFuture

    init(configuration: RouterConfiguration, now: MeshInstant) { (self.configuration, start) = (configuration, now) }

    /// Returns whether neighbours are read at this time.
    func isOn(at now: MeshInstant) -> Bool { end.map { now < $0 } ?? false }

    // MARK: - Coming and going

    /// Notes for how long the node did not run before its start.
    mutating func noteRest(_ time: Duration) { rest = time }

    /// Notes a neighbour whose store is full; reading begins if there was none for long.
    mutating func meet(now: MeshInstant) {
        switch company {
        case .present: break
        case .never: begin(after: rest.map { $0 + configuration.loneTime + start.duration(to: now) }, now: now)
        case .missing(let since): begin(after: since.duration(to: now), now: now)
        }
        company = .present
        planLook(now: now)
    }

    /// Notes a neighbour whose store became full while it was one for long: whatever it holds came here too.
    mutating func stay() { company = .present }

    private mutating func begin(after absence: Duration?, now: MeshInstant) {
        if let absence, absence < configuration.absence { return }
        let hours = absence.map { ($0 + configuration.catchUpTime) / .seconds(3_600) }
        self.hours = hours.flatMap { hours in Self.hourClasses.first { Double($0) >= hours } } ?? 0
        end = now.advanced(by: configuration.catchUpTime)
        budget = configuration.catchUpLimit
        readCounts = readCounts.map { _ in 0 }
    }

    /// Notes that there is no neighbour with a full store any more.
    mutating func part(now: MeshInstant) {
        if case .present = company { company = .missing(since: now) }
    }

    /// Notes that the machine slept until now.
    mutating func wake(asleepSince since: MeshInstant) {
        switch company {
        case .never: break
        case .present: company = .missing(since: since)
        case .missing(let earlier): company = .missing(since: min(earlier, since))
        }
    }

    // MARK: - Looking

    /// Plans a look at the links.
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
        return true
    }

    /// Notes that an envelope was read; with too many of them reading ends.
    mutating func noteEnvelope(now: MeshInstant) {
        budget -= 1
        if budget <= 0 { end = now }
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

    /// The times in hours that a node asks for, so that it does not tell exactly how long it was away.
    static let hourClasses: [UInt8] = [1, 2, 4, 8, 16, 32, 72]
}
