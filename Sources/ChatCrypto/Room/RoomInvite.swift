import Bytes

/// The invite to a room as a QR code or a link, with a key that cannot be guessed.
///
/// Shape: `earshot:room?id=` ‖ room (32 hexadecimal digits) ‖ `&key=` ‖ key (32 hexadecimal digits). Source:
/// PROTOCOL §17.
public struct RoomInvite: Sendable {
    /// The ID of the room.
    public let room: GroupID
    /// The random key of the invite.
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

    /// Makes an invite from a stored key.
    init(for room: GroupID, key: SecretBytes) {
        self.room = room
        self.key = key
    }

    /// Reads an invite, in upper or lower case and with white space around it.
    public init?(_ text: String) {
        let trimmed = text.drop(while: \.isWhitespace)
        // A longer text is no invite and needs no further check.
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

    /// The public name of the meeting with holders of this invite: `H("earshot/v1/lobby", key)[0..16)`.
    var lobby: [UInt8] {
        Array(SHA256.hash(label: Label.lobby, secret: key).prefix(Lobby.byteCount))
    }

    private static let byteCount = 16 + 32 + 5 + 32
}

/// The public name of one meeting of a host with joiners; each code has a new one.
enum Lobby {
    /// Units: bytes.
    static let byteCount = 16
}
