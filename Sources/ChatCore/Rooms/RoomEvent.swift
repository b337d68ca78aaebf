public import ChatCrypto

/// What happened in a room, or at its door.
public enum RoomEvent: Hashable, Sendable {
    /// There is a code to tell others; the one before is worth nothing.
    case code(String)
    /// A code has stood as many wrong guesses as it may, or its time was over.
    case burnt
    /// Too many codes were guessed at: nobody comes in until this node's user opens the door.
    case doorShut
    /// Somebody waits for this node's user to decide, or this node for the host if it is nobody.
    case waiting(PeerID?, name: String)
    /// This node is in.
    case joined
    /// This node's user has let somebody in who waited.
    case approved(PeerID)
    /// The host does not want this node, or this node's user somebody who waited.
    case rejected(PeerID?)
    /// Something happened among those who are in.
    case changed(GroupEvent)
    /// Its host has closed it or put this node out, or this node has left; all of it is gone here.
    case closed
    /// Its time is over; all of it is gone here.
    case expired

    /// The event's name as programs read it.
    public var name: String {
        switch self {
        case .code: "code"
        case .burnt: "burnt"
        case .doorShut: "doorShut"
        case .waiting: "waiting"
        case .joined: "joined"
        case .approved: "approved"
        case .rejected: "rejected"
        case .changed(let event): event.name
        case .closed: "closed"
        case .expired: "expired"
        }
    }

    /// Whom it is about, where that is somebody else.
    public var peer: PeerID? {
        switch self {
        case .waiting(let peer, _), .rejected(let peer): peer
        case .approved(let peer): peer
        case .changed(let event): event.peer
        case .code, .burnt, .doorShut, .joined, .closed, .expired: nil
        }
    }
}

/// What the engine of a room has to tell who keeps it.
package indirect enum RoomNews: Sendable {
    /// This node is in.
    case entered
    /// The host's user has to decide.
    case waiting
    /// There is no way in; all of it is to be destroyed.
    case failed(ChatError)
    /// It ends that much from now, earlier than was known.
    case ends(in: Duration)
    /// It is over: all of it is to be destroyed.
    case over(RoomEvent)
}
