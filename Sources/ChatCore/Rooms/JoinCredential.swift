public import ChatCrypto

/// A join credential for a room.
public enum JoinCredential: Sendable {
    /// A code that another person said.
    case code(RoomCode)
    /// An invite that another person showed or sent.
    case invite(RoomInvite)
    /// The id of a room that is open to all.
    case open(GroupID)

    /// Reads the user's input: a code, an invite, or a room's id; nil for anything else.
    public init?(_ typed: String) {
        if let invite = RoomInvite(typed) {
            self = .invite(invite)
        } else if let code = RoomCode(typed) {
            self = .code(code)
        } else if typed.utf8.count == 2 * GroupID.byteCount,
            let id = [UInt8](hex: typed).flatMap({ GroupID(bytes: $0) })
        {
            self = .open(id)
        } else {
            return nil
        }
    }

    /// The key for the joiner's side of admission.
    var key: RoomKey {
        switch self {
        case .code(let code): .code(code)
        case .invite(let invite): .invite(invite)
        case .open: .nothing
        }
    }

    /// Whether a beacon can belong to a room of this credential.
    func mayBe(for beacon: RoomBeacon) -> Bool {
        switch self {
        case .code(let code): beacon.door == code.door && beacon.admission != .open
        case .invite(let invite): beacon.room == invite.room
        case .open(let room): beacon.room == room && beacon.admission == .open
        }
    }
}
