/// A message ready to go, once the change that came with it is durable.
public struct SealedMessage: Sendable {
    /// `prekey` where `sealed` was asked for and the peer has not answered yet.
    public let kind: CarrierKind
    /// The envelope's body; of a probe without its label, which the mesh puts in front.
    public let body: [UInt8]
    /// What the recipient will publish when the message has arrived; its hash is in the body of a stored kind.
    public let preimage: ReleasePreimage
    /// The session it went on.
    public let sessionID: SessionID
}
