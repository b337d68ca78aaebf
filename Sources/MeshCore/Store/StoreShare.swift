import Bytes

/// What one neighbour (or this node itself) has put into the store, in the order in which it would be evicted.
struct StoreShare: Sendable {
    /// One priority's part of the share.
    struct Part: Sendable {
        /// Units: bytes.
        var byteCount = 0
        var count = 0
        /// May hold envelopes that are gone or have got more life since; whoever takes one out checks.
        var queue = PriorityQueue<Candidate>()
    }

    /// An envelope by the end of its life.
    struct Candidate: Comparable, Sendable {
        let deadline: MeshInstant
        let shortID: UInt64

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.deadline, left.shortID) < (right.deadline, right.shortID)
        }
    }

    /// One part for each store class, by its raw value.
    private var parts = StoreClass.allCases.map { _ in Part() }

    subscript(storeClass: StoreClass) -> Part {
        get { parts[storeClass.rawValue] }
        _modify { yield &parts[storeClass.rawValue] }
    }

    /// Units: bytes in the given classes.
    func byteCount(in classes: [StoreClass]) -> Int {
        classes.reduce(0) { $0 + parts[$1.rawValue].byteCount }
    }

    var isEmpty: Bool { parts.allSatisfy { $0.count == 0 } }
}
