/// An operation on its way to the members, with the header key that belongs to it.
///
/// It travels on the sessions with the members. Any holder of the operation may forward the update, because the
/// operation names the hash of its key. Shape: operation length (1) ‖ operation ‖ header key (32) if it brings one.
/// Source: PROTOCOL §16.
public struct GroupUpdate: Sendable {
    /// The signed operation.
    public let operation: GroupOperation
    /// The header key of the epoch, if it is not derived from the one before.
    let headerKey: SecretBytes?

    /// Whether the update begins its epoch with a fresh header key and contains this key.
    public var bringsKey: Bool { headerKey != nil }

    init(operation: GroupOperation, headerKey: SecretBytes?) {
        self.operation = operation
        self.headerKey = headerKey
    }

    /// Makes an update without the key that its operation may bring: for the member that it removes, and as the proof
    /// of a fork.
    public init(keyless operation: GroupOperation) {
        self.init(operation: operation, headerKey: nil)
    }

    /// Reads an update from any peer.
    ///
    /// - Throws: `malformed`, and the errors of `GroupOperation`.
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

    /// Encodes the update; send it on the sessions with the members and nowhere else.
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(MembershipLog.field(operation))
        if let headerKey { writer.append(headerKey) }
        return writer.finish()
    }

    private static let malformed = CryptoError(.malformed, "The bytes are not an update of a group.")
}
