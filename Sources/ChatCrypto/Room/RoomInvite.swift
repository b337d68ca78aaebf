import Bytes

/// What lets somebody into a room by a picture or a link: a key that nobody can guess.
///
/// Shape: `earshot:room?id=` ‖ room (32 hexadecimal digits) ‖ `&key=` ‖ key (32 hexadecimal digits). Source: PROTOCOL §17.
public struct RoomInvite: Sendable {
    /// Which room it is for.
    public let room: GroupID
    /// Random.
    ///
    /// Shape: 16 bytes.
    let key: SecretBytes

    private static let keyByteCount = 16
    private static let prefix = "earshot:room?id="
    private static let separator = "&key="

    /// Makes a random invite.
    init(for room: GroupID) {
        self.room = room
        key = .random(count: Self.keyByteCount)
    }

    /// Takes up a stored invite.
    init(for room: GroupID, key: SecretBytes) {
        self.room = room
        self.key = key
    }

    /// Reads an invite, in either case and with white space around it.
    public init?(_ text: String) {
        let trimmed = text.drop(while: \.isWhitespace)
        // Whatever is longer is no invite, and not worth another look.
        guard trimmed.utf8.count <= 2 * Self.byteCount else { return nil }
        let lowered = trimmed.lowercased()
        guard lowered.hasPrefix(Self.prefix) else { return nil }
        let rest = lowered.dropFirst(Self.prefix.count)
        let digits = rest.prefix(2 * GroupID.byteCount)
        let tail = rest.dropFirst(2 * GroupID.byteCount)
        guard tail.hasPrefix(Self.separator), let id = Hex.bytes(digits).flatMap({ GroupID(bytes: $0) }),
            let last = tail.lastIndex(where: { !$0.isWhitespace }),
            let key = Hex.bytes(tail[...last].dropFirst(Self.separator.count)), key.count == Self.keyByteCount
        else { return nil }
        room = id
        self.key = SecretBytes(copying: key)
    }

    /// The invite as a link.
    public var text: String {
        Self.prefix + room.description + Self.separator + key.withBytes { Hex.text(Array($0)) }
    }

    /// The public name of the meeting with who has this invite: `H("earshot/v1/lobby", key)[0..16)`.
    var lobby: [UInt8] {
        Array(SHA256.hash(label: Label.lobby, secret: key).prefix(Lobby.byteCount))
    }

    private static let byteCount = 16 + 32 + 5 + 32
}

/// The public name of one meeting of a host with joiners; new with each code.
enum Lobby {
    /// Units: bytes.
    static let byteCount = 16
}
