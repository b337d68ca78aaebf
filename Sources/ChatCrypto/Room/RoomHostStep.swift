/// Somebody who has proven to have the key of a room.
public struct RoomApplicant: Hashable, Sendable {
    /// The run in which it did.
    public let run: JoinRunID
    /// Who it is in this room, and what it wants to be called.
    public let bundle: IdentityBundle
}

/// What a flight has led to at the host; save the host before anything of it leaves.
public struct RoomHostStep: Sendable {
    /// The body of a ROOM envelope to send.
    public internal(set) var reply: [UInt8]?
    /// Who is to be added to the group now; then `admit` or `refuse` gives the reply.
    public internal(set) var applicant: RoomApplicant?
    /// What the user should know.
    public internal(set) var events: [RoomHostEvent] = []
}

/// What a host tells its user.
public enum RoomHostEvent: Hashable, Sendable {
    /// The code is worth nothing any more.
    case codeBurnt(CodeEnd)
    /// There is a new code to show.
    case codeChanged
    /// Too many codes were guessed at: nobody gets in by a code until the user opens the door.
    case doorShut
    /// Somebody waits for approval.
    case pending(RoomApplicant)

    /// Why a code ended.
    public enum CodeEnd: Hashable, Sendable {
        /// As many guesses were wrong as a code stands.
        case failures
        /// Its time was over.
        case age
    }
}
