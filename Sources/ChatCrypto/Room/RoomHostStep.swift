/// A joiner that has proven that it has the key of a room.
public struct RoomApplicant: Hashable, Sendable {
    /// The run in which the applicant proved it.
    public let run: JoinRunID
    /// The applicant's prekey bundle with its identity and nickname in this room.
    public let bundle: PrekeyBundle
}

/// The result of a join message at the host; save the host before any part of the result leaves.
public struct RoomHostStep: Sendable {
    /// The body of a ROOM envelope to send.
    public internal(set) var reply: [UInt8]?
    /// The applicant to add to the group now; after that, `admit` or `refuse` makes the reply.
    public internal(set) var applicant: RoomApplicant?
    /// The events for the user.
    public internal(set) var events: [RoomHostEvent] = []
}

/// An event that a host reports to its user.
public enum RoomHostEvent: Hashable, Sendable {
    /// The code has become worthless.
    case codeExhausted(CodeEnd)
    /// There is a new code to show.
    case codeChanged
    /// Too many codes were guessed at: no code admits a peer until the user opens the admission.
    case admissionClosed
    /// An applicant waits for approval.
    case pending(RoomApplicant)

    /// The reason why a code ended.
    public enum CodeEnd: Hashable, Sendable {
        /// The code reached the limit of wrong guesses.
        case failures
        /// The code's lifetime was over.
        case age
    }
}
