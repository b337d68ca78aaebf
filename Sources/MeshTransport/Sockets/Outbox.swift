import MeshCore

/// The datagrams of one turn of the loop, gathered so that the system is called as seldom as possible.
///
/// Datagrams to one endpoint keep their order; between endpoints there is none to keep. The node empties it at the end
/// of each turn, and sooner when it is full.
struct Outbox {
    /// Datagrams that wait at most.
    static let limit = 1_024

    private(set) var count = 0
    private var trains: [DatagramTrain] = []
    /// Where each endpoint's latest train stands.
    private var latest: [Endpoint: Int] = [:]

    var isFull: Bool { count >= Self.limit }

    mutating func append(_ datagram: [UInt8], to endpoint: Endpoint) {
        count += 1
        // Most often a datagram goes where the one before it went.
        if let last = trains.indices.last, trains[last].endpoint == endpoint, trains[last].couple(datagram) { return }
        if let index = latest[endpoint], trains[index].couple(datagram) { return }
        latest[endpoint] = trains.count
        trains.append(DatagramTrain(datagram, to: endpoint))
    }

    /// Hands everything out, in the order in which the trains began.
    mutating func takeAll() -> [DatagramTrain] {
        defer {
            count = 0
            trains = []
            latest.removeAll(keepingCapacity: true)
        }
        return trains
    }
}
