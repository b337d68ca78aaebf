/// The kind of an envelope: a number from 0 to 15.
///
/// The program that uses the mesh defines its meaning.
///
/// A ``KindPolicy`` defines how nodes treat each kind. Source: PROTOCOL §2.
public struct EnvelopeKind: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// A path probe, which the mesh itself sends.
    public static let probe: EnvelopeKind = 5

    /// The number of kinds.
    static let count = 16

    /// The number.
    public let rawValue: UInt8

    /// Creates a kind from a number; returns nil if the number is more than 15.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.count else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a kind from a literal.
    ///
    /// A literal above 15 is a programming error.
    public init(integerLiteral value: UInt8) {
        precondition(value < Self.count, "a kind is a number from 0 to 15")
        rawValue = value
    }

    /// Decodes the kind from an envelope's first byte; returns nil for an unknown version.
    init?(firstByte: UInt8) {
        guard firstByte >> 4 == Envelope.version else { return nil }
        rawValue = firstByte & 0x0F
    }
}
