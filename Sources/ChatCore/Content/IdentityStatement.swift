/// A statement about an identity in a content, as it arrived: the recipient checks it.
///
/// Source: PROTOCOL §9.
package enum IdentityStatement: Hashable, Sendable {
    /// The sender continues under another identity: a rotation of 232 bytes.
    case rotation([UInt8])
    /// An identity is not to be trusted any more: a revocation of 128 bytes.
    case revocation([UInt8])
}

extension MessageContent {
    /// Encodes the content of a statement.
    ///
    /// It has no salt: a contact that receives the statement twice receives the same content.
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
