import Bytes

/// Somebody in a group, as its log names them.
///
/// Shape: signing key (32) ‖ agreement key (32) ‖ nickname length (1) ‖ nickname. Source: PROTOCOL §16.
public struct GroupMember: Hashable, Sendable {
    /// Both public keys.
    public let identity: PublicIdentity
    /// What the member wants to be called; nil if nothing.
    public let nickname: Nickname?

    /// Names a member.
    public init(identity: PublicIdentity, nickname: Nickname?) {
        self.identity = identity
        self.nickname = nickname
    }

    var encoded: [UInt8] {
        let name = nickname?.bytes ?? []
        return identity.encoded + [UInt8(name.count)] + name
    }

    init?(decoding reader: inout ByteReader) {
        guard let identity = reader.bytes(PublicIdentity.byteCount).flatMap({ PublicIdentity(decoding: $0) }),
            let name = reader.shortField()
        else { return nil }
        guard !name.isEmpty else {
            self.init(identity: identity, nickname: nil)
            return
        }
        guard let nickname = try? Nickname(decoding: name) else { return nil }
        self.init(identity: identity, nickname: nickname)
    }
}
