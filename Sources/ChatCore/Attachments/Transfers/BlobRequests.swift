import MeshCore

/// The requested pieces that were not yet sent to one neighbour on a path, in order: the holder's side of transfers.
///
/// The shell takes the next piece whenever the path accepts one. Pieces that the path cannot accept wait here as
/// numbers, not as bytes. Source: PROTOCOL §5.4.
package struct BlobRequests: Sendable {
    /// A piece to send next.
    package struct Fragment: Equatable, Sendable {
        /// The other end's number for the transfer.
        package let transfer: UInt32
        /// The root of the blob.
        package let root: [UInt8]
        /// The number of the part.
        package let part: UInt32
        /// The number of the piece in the part.
        package let fragment: UInt8
    }

    /// The most parts that wait; the other end requests parts beyond them again when they are late.
    static let waitingLimit = 1_024

    private struct Wanted: Hashable {
        let transfer: UInt32
        let part: UInt32
    }

    private var waiting = Fifo<Fragment>()
    private var known: Set<Wanted> = []

    /// Makes an empty queue.
    package init() {}

    /// Whether no request waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// The number of waiting pieces.
    package var waitingCount: Int { waiting.count }

    /// Adds requested parts of a blob; parts that wait already are not added twice.
    package mutating func add(_ ranges: [Range<UInt32>], of reference: BlobReference, transfer: UInt32) {
        let parts = 0..<UInt32(reference.partCount)
        for number in ranges.lazy.map({ $0.clamped(to: parts) }).joined() {
            guard known.count < Self.waitingLimit else { return }
            guard let part = Int(exactly: number).flatMap(reference.part),
                known.insert(Wanted(transfer: transfer, part: number)).inserted
            else { continue }
            let fragmentCount =
                (reference.byteCount(of: part) + BlobMessage.fragmentByteCount - 1) / BlobMessage.fragmentByteCount
            for fragment in 0..<fragmentCount {
                waiting.append(
                    Fragment(transfer: transfer, root: reference.root, part: number, fragment: UInt8(fragment))
                )
            }
        }
    }

    /// The piece to send next; it stays the next until ``removeFirst()``.
    package var first: Fragment? { waiting.first }

    /// Removes the next piece, which has been sent.
    package mutating func removeFirst() {
        guard let fragment = waiting.first else { return }
        waiting.removeFirst()
        if waiting.first?.part != fragment.part || waiting.first?.transfer != fragment.transfer {
            known.remove(Wanted(transfer: fragment.transfer, part: fragment.part))
        }
    }

    /// Removes the pieces of a transfer.
    package mutating func cancel(_ transfer: UInt32) {
        remove { $0.transfer == transfer }
        known = known.filter { $0.transfer != transfer }
    }

    /// Removes the pieces of a blob.
    package mutating func remove(_ root: [UInt8]) {
        remove { $0.root == root }
        known = Set((0..<waiting.count).map { Wanted(transfer: waiting[$0].transfer, part: waiting[$0].part) })
    }

    private mutating func remove(where isMeant: (Fragment) -> Bool) {
        var rest = Fifo<Fragment>()
        for index in 0..<waiting.count where !isMeant(waiting[index]) { rest.append(waiting[index]) }
        waiting = rest
    }
}
