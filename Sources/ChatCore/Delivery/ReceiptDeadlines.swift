import Bytes
import MeshCore

/// A time for each recipient of receipts.
struct ReceiptDeadlines: Sendable {
    private struct Deadline: Comparable {
        let instant: MeshInstant
        let recipient: PendingReceipts.Recipient

        static func < (one: Deadline, other: Deadline) -> Bool {
            (one.instant, one.recipient) < (other.instant, other.recipient)
        }
    }

    private var instants: [PendingReceipts.Recipient: MeshInstant] = [:]
    private var inOrder = SortedSet<Deadline>()

    /// The first time; nil if there is none.
    var first: MeshInstant? { inOrder.first?.instant }

    /// Returns the recipients whose time has come, the longest due first.
    func recipients(until now: MeshInstant) -> [PendingReceipts.Recipient] {
        inOrder.prefix { $0.instant <= now }.map(\.recipient)
    }

    /// The time of a recipient; nil for one that has none.
    subscript(recipient: PendingReceipts.Recipient) -> MeshInstant? {
        get { instants[recipient] }
        set {
            if let old = instants[recipient] { inOrder.remove(Deadline(instant: old, recipient: recipient)) }
            instants[recipient] = newValue
            if let newValue { inOrder.insert(Deadline(instant: newValue, recipient: recipient)) }
        }
    }
}
