/// An envelope's kind and body, from any peer.
public struct InboundPacket: Hashable, Sendable {
    /// The kind of the envelope, which determines the parts of the body.
    public let kind: CarrierKind
    /// The whole body, including the release hash or label.
    public let body: [UInt8]

    /// Makes a packet of an envelope that the mesh delivered.
    public init(kind: CarrierKind, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }
}
