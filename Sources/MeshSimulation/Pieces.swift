/// Hosts that are joined bit by bit, and the pieces that this leaves.
///
/// Invariant: following `root` from any host ends at one that is its own root, the same for all of a piece.
struct Pieces: Sendable {
    private var root: [Int]
    /// How many pieces there are.
    private(set) var count: Int

    /// Makes every host a piece of its own.
    init(_ hostCount: Int) {
        root = Array(0..<hostCount)
        count = hostCount
    }

    /// A host that stands for the piece.
    mutating func piece(of host: Int) -> Int {
        var host = host
        while root[host] != host {
            root[host] = root[root[host]]
            host = root[host]
        }
        return host
    }

    /// Joins two hosts; false if they were joined already.
    @discardableResult
    mutating func join(_ host: Int, _ other: Int) -> Bool {
        let (near, far) = (piece(of: host), piece(of: other))
        guard near != far else { return false }
        root[near] = far
        count -= 1
        return true
    }
}
