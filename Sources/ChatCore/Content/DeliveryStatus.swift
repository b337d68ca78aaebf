/// How far an outgoing message has come; it only ever moves forward.
public enum DeliveryStatus: Hashable, Sendable {
    /// In the outbox, on disk; nothing has left yet.
    case queued
    /// On the air: the first datagram with it has left on a link.
    case sent
    /// A neighbour holds it and passes it on.
    case carried
    /// The recipient's node has it on disk.
    case delivered
    /// The recipient has seen it.
    case read
    /// It will not arrive, for the reason given.
    case failed(DeliveryFailure)

    /// Orders the states; a message never goes to a lower one.
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

    /// The state of a stored rank; a failure also needs its reason.
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

    /// Takes another report of the same message, if it is of a later state: any order of the same reports ends alike.
    package mutating func merge(_ other: DeliveryStatus) {
        if case .failed(let own) = self, case .failed(let theirs) = other {
            self = .failed(own.rawValue < theirs.rawValue ? own : theirs)
        } else if other.rank > rank {
            self = other
        }
    }

    /// Whether nothing more is to be expected of the sender's node.
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

/// Why a message will not arrive.
public enum DeliveryFailure: String, Hashable, Sendable, CaseIterable {
    /// No receipt came within the time messages are kept (7 days).
    case expired
    /// The contact was blocked or revoked before the message could leave.
    case refusedByTrust
    /// The sender's user did not want it to go on; where it was on its way it may arrive all the same.
    case cancelled
    /// The recipient was in the group when it was written, and left before it arrived.
    case notMember
}
