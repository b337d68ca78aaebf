import Bytes

/// The host's announcement of a room: its existence and the way to join it, without its members or its title.
///
/// Shape: 00 ‖ version 1 (1) ‖ room (16) ‖ lobby (16) ‖ host's signing key (32) ‖ host's agreement key (32) ‖ sequence
/// (4) ‖ remaining seconds (4) ‖ admission (1) ‖ flags (1), bit 0: the admission is stopped ‖ signature (64). Source:
/// PROTOCOL §17.
public struct RoomBeacon: Hashable, Sendable {
    /// The body of its envelope.
    public let bytes: [UInt8]
    /// The ID of the room.
    public let room: GroupID
    /// The host of the room, under the keys of this room.
    public let host: PublicIdentity
    /// The sequence number, which rises with each beacon; the highest one is valid.
    public let sequence: UInt32
    /// The time that the room will last by the host's clock; 0 for a room without end.
    ///
    /// Units: seconds.
    public let remainingSeconds: UInt32
    /// The admission policy of the room.
    public let admission: RoomAdmission
    /// Whether codes admit no peer at the moment.
    public let isAdmissionClosed: Bool
    /// The name of the meeting for holders of the present code.
    ///
    /// Another name means another code.
    public let lobby: [UInt8]

    static let type: UInt8 = 0
    /// Units: bytes.
    public static let byteCount = 172
    private static let version: UInt8 = 1
    private static let label = Label.roomBeacon

    /// The first two digits of the room's code, which distinguish this room from others nearby.
    public var door: Int { RoomCode.door(of: room) }

    /// Makes and signs a beacon.
    init(
        of room: GroupID,
        by host: Identity,
        lobby: [UInt8],
        sequence: UInt32,
        remainingSeconds: UInt32,
        admission: RoomAdmission,
        isAdmissionClosed: Bool
    ) {
        self.room = room
        self.host = host.publicIdentity
        self.lobby = lobby
        self.sequence = sequence
        self.remainingSeconds = remainingSeconds
        self.admission = admission
        self.isAdmissionClosed = isAdmissionClosed
        var fields = [Self.type, Self.version] + room.bytes + lobby + host.publicIdentity.encoded
        fields += sequence.bigEndianBytes + remainingSeconds.bigEndianBytes
        fields += [admission.rawValue, isAdmissionClosed ? 1 : 0]
        bytes = fields + host.signing.sign(Self.label, fields)
    }

    /// Reads and checks a beacon from any peer.
    ///
    /// - Throws: `unknownVersion`, `malformed`, `authenticationFailed`.
    public init(verifying bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard reader.integer(UInt8.self) == Self.type, let version = reader.integer(UInt8.self) else {
            throw Self.malformed
        }
        guard version == Self.version else {
            throw CryptoError(.unknownVersion, "The version of the beacon is unknown.")
        }
        guard let room = reader.bytes(16).flatMap({ GroupID(bytes: $0) }), let lobby = reader.bytes(Lobby.byteCount),
            let host = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let sequence = reader.integer(UInt32.self), let remaining = reader.integer(UInt32.self),
            let admission = reader.integer(UInt8.self).flatMap({ RoomAdmission(rawValue: $0) }),
            let isAdmissionClosed = reader.flag(), let signature = reader.bytes(64), reader.isAtEnd
        else { throw Self.malformed }
        guard Ed25519.verify(signature, Self.label, Array(bytes.dropLast(64)), key: host.signingKey) else {
            throw CryptoError(.authenticationFailed, "The beacon's signature is wrong.")
        }
        self.bytes = bytes
        self.room = room
        self.lobby = lobby
        self.host = host
        self.sequence = sequence
        remainingSeconds = remaining
        self.admission = admission
        self.isAdmissionClosed = isAdmissionClosed
    }

    /// Whether this beacon replaces another one about the same room by the same host.
    public func supersedes(_ other: RoomBeacon) -> Bool {
        room == other.room && host == other.host && sequence > other.sequence
    }

    private static let malformed = CryptoError(.malformed, "The beacon has a wrong length or field.")
}
