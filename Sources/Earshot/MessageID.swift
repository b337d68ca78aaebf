/// The name of one message: a hash of its sender, its conversation and its content, so that nobody can reuse it.
///
/// Shape: 16 bytes. Source: PROTOCOL §10.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
    /// Shape: 16 bytes.
    public let bytes: [UInt8]

    /// Makes an id from 16 bytes; any other length is refused.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes an id from 32 hexadecimal digits.
    public init?(hex: String) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// Shape: 32 lower-case hexadecimal digits.
    public var description: String { bytes.hex }
}
