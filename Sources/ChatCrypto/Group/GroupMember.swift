import Bytes

/// A member of a group, as the membership log names it.
///
/// Shape: signing key (32) ‖ agreement key (32) ‖ nickname length (1) ‖ nickname. Source: PROTOCOL §16.
public struct GroupMember: Hashable, Sendable {
    /// The member's identity with both public keys.
    public let identity: PublicIdentity
    /// The nickname that the member chose; nil if none.
    public let nickname: Nickname?

    /// Makes a member from an identity and a nickname.
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
