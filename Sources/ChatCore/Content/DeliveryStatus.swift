/// The delivery progress of an outgoing message; it only moves forward.
public enum DeliveryStatus: Hashable, Codable, Sendable {
    /// The message is in the outbox, on disk; nothing was sent yet.
    case queued
    /// The first datagram of the message was sent on a link.
    case sent
    /// A neighbour stores the message and forwards it.
    case carried
    /// The recipient's node has the message on disk.
    case delivered
    /// The recipient has seen the message.
    case read
    /// The message will not arrive, for the reason given.
    case failed(DeliveryFailure)

    /// The order of the states; a message never returns to a lower one.
    package var rank: Int {
        switch self {
        case .queued: 0
        case .sent: 1
        case .carried: 2
        case .failed: 3
        case .delivered: 4
        case .read: 5
        }
    }

    /// Makes the state of a stored rank; a failure also needs its reason.
    package init(rank: Int, failure: String) {
        self =
            switch rank {
            case 1: .sent
            case 2: .carried
            case 3: .failed(DeliveryFailure(rawValue: failure) ?? .expired)
            case 4: .delivered
            case 5: .read
            default: .queued
            }
    }

    /// Merges another report of the same message, if it is of a later state: the result does not depend on the order of
    /// reports.
    package mutating func merge(_ other: DeliveryStatus) {
        if case .failed(let own) = self, case .failed(let theirs) = other {
            self = .failed(own.rawValue < theirs.rawValue ? own : theirs)
        } else if other.rank > rank {
            self = other
        }
    }

    /// Whether the sender's node does nothing more for the message.
    public var isFinal: Bool {
        switch self {
        case .queued, .sent, .carried, .delivered: false
        case .read, .failed: true
        }
    }

    /// The state's name as programs read it.
    public var name: String {
        switch self {
        case .queued: "queued"
        case .sent: "sent"
        case .carried: "carried"
        case .delivered: "delivered"
        case .read: "read"
        case .failed: "failed"
        }
    }
}

/// The reason why a message will not arrive.
public enum DeliveryFailure: String, Hashable, Codable, Sendable, CaseIterable {
    /// No receipt arrived within the time that messages are kept (7 days).
    case expired
    /// The contact was blocked or revoked before the message could leave.
    case refusedByTrust
    /// The sender's user cancelled it; if it was in transit, it may still arrive.
    case cancelled
    /// The recipient was in the group when the message was written, and left before it arrived.
    case notMember
}
