/// Who shares a segment with whom, and where hosts are in a picture.
public struct Topology: Sendable, Equatable {
    /// The number of hosts.
    public let hostCount: Int
    /// The hosts on each segment.
    public let segments: [[Int]]
    /// Where each host is; nil where the shape does not say.
    ///
    /// Only a picture looks at it: who hears whom follows from the segments.
    public let places: [Place]?

    /// Makes a topology of any shape.
    public init(hostCount: Int, segments: [[Int]], places: [Place]? = nil) {
        precondition(segments.allSatisfy { $0.allSatisfy { (0..<hostCount).contains($0) } }, "hosts by their numbers")
        precondition(places == nil || places?.count == hostCount, "a place for each host")
        self.hostCount = hostCount
        self.segments = segments
        self.places = places
    }

    /// Whether every host can reach every other.
    public var isConnected: Bool {
        var pieces = Pieces(hostCount)
        for segment in segments {
            for host in segment.dropFirst() { pieces.join(segment[0], host) }
        }
        return pieces.count <= 1
    }
}
