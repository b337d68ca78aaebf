package import MeshCore

/// An envelope of this node's own that is to be spread.
package struct OwnEnvelope: Sendable, Equatable {
    /// What it carries.
    package let kind: EnvelopeKind
    /// What it carries, sealed.
    package let body: [UInt8]
    /// Units: ticks of 10 s.
    package let life: UInt16

    /// Makes an envelope to be spread.
    package init(kind: EnvelopeKind, body: [UInt8], life: UInt16) {
        self.kind = kind
        self.body = body
        self.life = life
    }
}
