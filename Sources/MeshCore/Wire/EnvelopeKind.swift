/// The kind of an envelope: a number from 0 to 15, to which the program that uses the mesh gives a meaning.
///
/// A ``KindPolicy`` says how nodes treat each. Source: PROTOCOL §2.
public struct EnvelopeKind: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// A search for a path, which the mesh itself makes.
    public static let probe: EnvelopeKind = 5

    /// The number of kinds.
    static let count = 16

    /// The number.
    public let rawValue: UInt8

    /// Takes a number; nil if it is more than 15.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.count else { return nil }
        self.rawValue = rawValue
    }

    /// Takes a literal; one above 15 is a programmer's mistake.
    public init(integerLiteral value: UInt8) {
        precondition(value < Self.count, "a kind is a number from 0 to 15")
        rawValue = value
    }

    /// The kind in an envelope's first byte; nil for an unknown version.
    init?(firstByte: UInt8) {
        guard firstByte >> 4 == Envelope.version else { return nil }
        rawValue = firstByte & 0x0F
    }
}
