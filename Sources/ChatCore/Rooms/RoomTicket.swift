public import ChatCrypto

/// What somebody has for a room.
public enum RoomTicket: Sendable {
    /// A code that somebody said.
    case code(RoomCode)
    /// An invite that somebody showed or sent.
    case invite(RoomInvite)
    /// The name of a room for everybody.
    case open(GroupID)

    /// Reads what a person typed or pasted: a code, an invite, or a room's id; nil for anything else.
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

    /// What the joiner's side of the way in takes.
    var key: RoomKey {
        switch self {
        case .code(let code): .code(code)
        case .invite(let invite): .invite(invite)
        case .open: .nothing
        }
    }

    /// Whether a beacon is of a room it may be for.
    func mayBe(for beacon: RoomBeacon) -> Bool {
        switch self {
        case .code(let code): beacon.door == code.door && beacon.admission != .open
        case .invite(let invite): beacon.room == invite.room
        case .open(let room): beacon.room == room && beacon.admission == .open
        }
    }
}
