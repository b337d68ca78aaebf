/// An operation on its way to the members, with the header key that belongs to it.
///
/// For the sessions with the members: whoever has the operation may pass the update on, because the operation names the
/// hash of its key. Shape: operation length (1) ‖ operation ‖ header key (32) where it brings one. Source: PROTOCOL §16.
public struct GroupUpdate: Sendable {
    /// What the owner did.
    public let operation: GroupOperation
    /// The header key of the epoch, where it does not follow from the one before.
    let headerKey: SecretBytes?

    /// Whether it begins its epoch with a fresh header key that it has.
    public var bringsKey: Bool { headerKey != nil }

    init(operation: GroupOperation, headerKey: SecretBytes?) {
        self.operation = operation
        self.headerKey = headerKey
    }

    /// An operation without the key it may bring: for the member it puts out, and as the proof of a fork.
    public init(keyless operation: GroupOperation) {
        self.init(operation: operation, headerKey: nil)
    }

    /// Reads an update from anybody.
    ///
    /// - Throws: `malformed`, and what `GroupOperation` throws.
    public init(decoding bytes: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(bytes)
        guard let count = reader.integer(UInt8.self), let operation = reader.bytes(Int(count)) else {
            throw Self.malformed
        }
        self.operation = try GroupOperation(decoding: operation)
        headerKey = self.operation.action.bringsHeaderKey ? reader.secret(32) : nil
        guard reader.isAtEnd, self.operation.headerKeyHash == headerKey.map({ GroupEpoch.hash(ofHeaderKey: $0) })
        else { throw Self.malformed }
    }

    /// The update, for the sessions with the members and nothing else.
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(MembershipLog.field(operation))
        if let headerKey { writer.append(headerKey) }
        return writer.finish()
    }

    private static let malformed = CryptoError(.malformed, "The bytes are no update of a group.")
}
