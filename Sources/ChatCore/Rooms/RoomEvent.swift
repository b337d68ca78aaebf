public import ChatCrypto

/// An event in a room, or at its admission.
public enum RoomEvent: Hashable, Codable, Sendable {
    /// A new code is valid; the one before is invalid.
    case code(String)
    /// A code is exhausted by wrong guesses, or its time was over.
    case exhausted
    /// Too many codes were guessed at: nobody is admitted until this node's user opens admission.
    case admissionClosed
    /// A peer waits for the decision of this node's user; nil: this node waits for the host.
    case waiting(PeerID?, name: String)
    /// This node is a member now.
    case joined
    /// This node's user has admitted a waiting peer.
    case approved(PeerID)
    /// The host has rejected this node (nil), or this node's user has rejected a waiting peer.
    case rejected(PeerID?)
    /// The group of the room has changed.
    case changed(GroupEvent)
    /// Its host has closed it or removed this node, or this node has left; all of it is deleted here.
    case closed
    /// Its time is over; all of it is deleted here.
    case expired

    /// The event's name as programs read it.
    public var name: String {
        switch self {
        case .code: "code"
        case .exhausted: "burnt"
        case .admissionClosed: "doorShut"
        case .waiting: "waiting"
        case .joined: "joined"
        case .approved: "approved"
        case .rejected: "rejected"
        case .changed(let event): event.name
        case .closed: "closed"
        case .expired: "expired"
        }
    }

    /// The other peer concerned, if there is one.
    public var peer: PeerID? {
        switch self {
        case .waiting(let peer, _), .rejected(let peer): peer
        case .approved(let peer): peer
        case .changed(let event): event.peer
        case .code, .exhausted, .admissionClosed, .joined, .closed, .expired: nil
        }
    }
}

/// An event of a room's engine for the keeper of the room.
package indirect enum RoomTransition: Sendable {
    /// This node is a member now.
    case entered
    /// The host's user has to decide.
    case waiting
    /// The joining has failed; all of it has to be destroyed.
    case failed(ChatError)
    /// The room ends after this time, earlier than was known.
    case ends(in: Duration)
    /// The room is over: all of it has to be destroyed.
    case over(RoomEvent)
}
