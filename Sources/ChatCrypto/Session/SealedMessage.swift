/// A sealed message; it may leave as soon as the change that came with it is durable.
public struct SealedMessage: Sendable {
    /// The kind of the envelope: `prekey` if `sealed` was requested and the peer has not answered yet.
    public let kind: CarrierKind
    /// The envelope's body.
    public let body: [UInt8]
    /// The delivery proof that the recipient publishes when the message has arrived.
    ///
    /// The body of a stored kind holds its hash.
    public let deliveryProof: DeliveryProof
    /// The session that the message uses.
    public let sessionID: SessionID
}
