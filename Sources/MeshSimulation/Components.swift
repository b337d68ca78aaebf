/// The connected components ("pieces") of hosts that are joined step by step.
///
/// Invariant: following `root` from any host ends at a host that is its own root, the same one for all hosts of a
/// piece.
struct Components: Sendable {
    private var root: [Int]
    /// The number of pieces.
    private(set) var count: Int

    /// Creates a piece of its own for every host.
    init(_ hostCount: Int) {
        root = Array(0..<hostCount)
        count = hostCount
    }

    /// Returns the host that represents the piece of `host`.
    mutating func component(of host: Int) -> Int {
        var host = host
        while root[host] != host {
            root[host] = root[root[host]]
            host = root[host]
        }
        return host
    }

    /// Joins the pieces of two hosts; returns false if they were already joined.
    @discardableResult
    mutating func join(_ host: Int, _ other: Int) -> Bool {
        let (near, far) = (component(of: host), component(of: other))
        guard near != far else { return false }
        root[near] = far
        count -= 1
        return true
    }
}
