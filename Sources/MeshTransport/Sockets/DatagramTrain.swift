import MeshCore

/// Datagrams to one endpoint that one system call can take: all of one size, only the last may be shorter.
///
/// Invariant: never empty, and within `datagramLimit` and `byteLimit` unless it is a single datagram.
struct DatagramTrain: Equatable, Sendable {
    /// The number of datagrams into which every kernel with segmentation offload can cut one buffer.
    static let datagramLimit = 64
    /// Units: bytes; a buffer to be cut may be no longer than one datagram of either family could be.
    static let byteLimit = 65_000

    let endpoint: Endpoint
    private(set) var datagrams: [[UInt8]]
    private(set) var byteCount: Int
    private let datagramByteCount: Int
    private var isComplete: Bool

    init(_ first: [UInt8], to endpoint: Endpoint) {
        self.endpoint = endpoint
        datagrams = [first]
        byteCount = first.count
        datagramByteCount = first.count
        isComplete = first.isEmpty
    }

    /// Units: bytes of each datagram but the last.
    var segmentByteCount: Int { datagramByteCount }

    /// Adds another datagram to the same endpoint; returns false if it does not fit behind the others.
    mutating func couple(_ datagram: [UInt8]) -> Bool {
        guard !isComplete, !datagram.isEmpty, datagram.count <= datagramByteCount,
            datagrams.count < Self.datagramLimit, datagram.count <= Self.byteLimit - byteCount
        else { return false }
        datagrams.append(datagram)
        byteCount += datagram.count
        isComplete = datagram.count < datagramByteCount
        return true
    }
}
