/// An envelope's kind and body, from anybody.
public struct InboundPacket: Hashable, Sendable {
    /// What the body is made of.
    public let kind: CarrierKind
    /// The whole body, release hash or label included.
    public let body: [UInt8]

    /// Makes a packet of what the mesh delivered.
    public init(kind: CarrierKind, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }
}
