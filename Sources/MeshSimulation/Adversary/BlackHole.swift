import MeshCore

/// A host of the mesh that has become a black hole: its neighbours have links with it, and what goes along ways ends
/// there without a word.
struct BlackHole: Sendable {
    private var host: HostileHost
    private var relay = PostRelay()
    private var stepCount = 0

    /// Puts a black hole in the place of a host.
    init(at number: Int, in net: inout SimNet, seed: UInt64) {
        var random = SplitMix64(seed: seed &* 37 &+ UInt64(number))
        host = HostileHost(number: number, node: NodeID(random.next()), meshKey: 0)
        net.crash(number)
        net.startRaw(number)
    }

    /// Passes posts on for one step, and dials neighbours without a link.
    mutating func step(_ net: inout SimNet) {
        host.receive(from: &net, isTick: stepCount.isMultiple(of: Attack.stepsPerTick))
        relay.serve(&host)
        if stepCount.isMultiple(of: Attack.stepsPerDial) {
            let linked = Set(host.links.map(\.host))
            for other in net.endpoints(near: host.number) where !linked.contains(other.host) {
                host.dial(other.endpoint, now: net.now)
            }
        }
        host.flush(into: &net)
        stepCount += 1
    }
}

extension SimNet {
    /// The hosts that share a segment with this one and are on, in the order of the segments.
    fileprivate func endpoints(near host: Int) -> [(host: Int, endpoint: Endpoint)] {
        segments.indices.flatMap { segment -> [(host: Int, endpoint: Endpoint)] in
            guard segments[segment].members.contains(host) else { return [] }
            return segments[segment].members.filter { $0 != host }
                .compactMap { other in endpoint(of: other, on: segment).map { (other, $0) } }
        }
    }
}
