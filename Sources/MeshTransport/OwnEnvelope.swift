package import MeshCore

/// An envelope of this node that will be spread.
package struct OwnEnvelope: Sendable, Equatable {
    /// The kind of the contents.
    package let kind: EnvelopeKind
    /// The sealed contents.
    package let body: [UInt8]
    /// Units: ticks of 10 s.
    package let life: UInt16
    /// Whether in a crowd it goes to some nodes instead of all.
    package let handsOver: Bool

    /// Makes an envelope to be spread.
    package init(kind: EnvelopeKind, body: [UInt8], life: UInt16, handsOver: Bool = false) {
        self.kind = kind
        self.body = body
        self.life = life
        self.handsOver = handsOver
    }
    /// The event that submits it.
    package var event: MeshEvent {
        handsOver ? .handOver(kind: kind, body: body, life: life) : .submit(kind: kind, body: body, life: life)
    }
}
