import Bytes

/// The envelopes that one neighbour (or this node itself) has put into the store, in the order of their eviction.
struct StoreShare: Sendable {
    /// The part of the share with one priority.
    struct Part: Sendable {
        /// The size.
        ///
        /// Units: bytes.
        var byteCount = 0
        var count = 0
        /// The eviction queue.
        ///
        /// It may contain envelopes that were removed or have a longer life since; the caller of `removeFirst` must
        /// check.
        var queue = PriorityQueue<Candidate>()
    }

    /// An envelope, ordered by the end of its life.
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

    /// Returns the size of the given classes.
    ///
    /// Units: bytes.
    func byteCount(in classes: [StoreClass]) -> Int {
        classes.reduce(0) { $0 + parts[$1.rawValue].byteCount }
    }

    var isEmpty: Bool { parts.allSatisfy { $0.count == 0 } }
}
