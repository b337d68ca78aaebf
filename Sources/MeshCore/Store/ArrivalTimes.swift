/// The positions in the order of a store at which hours began, so that it can tell what came lately.
struct ArrivalTimes: Sendable {
    private var hours = Fifo<(begin: MeshInstant, sequence: UInt64)>()

    /// Notes the position of what comes now.
    mutating func note(_ sequence: UInt64, now: MeshInstant) {
        if let last = hours.last, now < last.begin.advanced(by: .seconds(3_600)) { return }
        hours.append((now, sequence))
        if hours.count > Self.limit { hours.removeFirst() }
    }

    /// Returns the position from which on lies all that came since a time, and possibly in the hour before it.
    func sequence(since time: MeshInstant) -> UInt64 {
        let first = hours.elements.first { time < $0.begin.advanced(by: .seconds(3_600)) }
        return hours.isEmpty ? 0 : first?.sequence ?? .max
    }

    /// The number of hours that are remembered: more than an envelope lives.
    private static let limit = 74
}
