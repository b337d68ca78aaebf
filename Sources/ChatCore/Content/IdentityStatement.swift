/// What a content says of an identity, as it came: it is checked by whoever takes it.
///
/// Source: PROTOCOL §9.
package enum IdentityStatement: Hashable, Sendable {
    /// The sender goes on under another identity: a rotation of 232 bytes.
    case rotation([UInt8])
    /// An identity is not to be trusted any more: a revocation of 128 bytes.
    case revocation([UInt8])
}

extension MessageContent {
    /// The encoded content of a statement.
    ///
    /// Without salt: whoever is told twice is told the same.
    package static func statement(_ statement: IdentityStatement, at wall: UInt64) -> [UInt8] {
        var content = ProtoContent()
        content.sentAt = wall
        switch statement {
        case .rotation(let bytes): content.rotation = .bytes(bytes)
        case .revocation(let bytes): content.revocation = .bytes(bytes)
        }
        return encoded(content)
    }
}
