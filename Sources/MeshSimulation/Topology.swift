/// The hosts, the segments that they share, and their positions in a picture.
public struct Topology: Sendable, Equatable {
    /// The number of hosts.
    public let hostCount: Int
    /// The hosts on each segment.
    public let segments: [[Int]]
    /// The position of each host; nil if the shape does not define positions.
    ///
    /// Only a picture uses the positions. The segments alone decide which hosts are in range of each other.
    public let places: [Place]?

    /// Creates a topology of any shape.
    public init(hostCount: Int, segments: [[Int]], places: [Place]? = nil) {
        precondition(segments.allSatisfy { $0.allSatisfy { (0..<hostCount).contains($0) } }, "hosts by their numbers")
        precondition(places == nil || places?.count == hostCount, "a place for each host")
        self.hostCount = hostCount
        self.segments = segments
        self.places = places
    }

    /// Whether every host can reach every other host.
    public var isConnected: Bool {
        var components = Components(hostCount)
        for segment in segments {
            for host in segment.dropFirst() { components.join(segment[0], host) }
        }
        return components.count <= 1
    }
}
