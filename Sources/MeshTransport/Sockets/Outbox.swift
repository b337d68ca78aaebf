import MeshCore

/// The datagrams of one turn of the loop, collected so that they take as few calls of the system as possible.
///
/// Datagrams to one endpoint keep their order; there is no order between endpoints. The node empties the outbox at the
/// end of each turn, and sooner if it is full.
struct Outbox {
    /// Datagrams that wait at most.
    static let limit = 1_024

    private(set) var count = 0
    private var trains: [DatagramTrain] = []
    /// The index of each endpoint's latest train.
    private var latest: [Endpoint: Int] = [:]

    var isFull: Bool { count >= Self.limit }

    mutating func append(_ datagram: [UInt8], to endpoint: Endpoint) {
        count += 1
        // Most datagrams go to the endpoint of the one before.
        if let last = trains.indices.last, trains[last].endpoint == endpoint, trains[last].couple(datagram) { return }
        if let index = latest[endpoint], trains[index].couple(datagram) { return }
        latest[endpoint] = trains.count
        trains.append(DatagramTrain(datagram, to: endpoint))
    }

    /// Removes and returns everything, in the order in which the trains began.
    mutating func takeAll() -> [DatagramTrain] {
        defer {
            count = 0
            trains = []
            latest.removeAll(keepingCapacity: true)
        }
        return trains
    }
}
