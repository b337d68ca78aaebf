import Bytes

extension MembershipLog {
    private static let version: UInt8 = 1

    /// Encodes the whole log.
    ///
    /// Shape: version 1 (1) ‖ founding key (32) ‖ operation count (2) ‖ per operation length (1) and bytes ‖ fork
    /// length (1), 0 if there is none, and the other operation.
    public func encoded() -> [UInt8] {
        var bytes = [Self.version] + foundingKey + UInt16(operations.count).bigEndianBytes
        for operation in operations { bytes += Self.field(operation) }
        return bytes + (fork.map { Self.field($0.other) } ?? [0])
    }

    /// Reads the output of `encoded()` and checks every signature again.
    ///
    /// - Throws: `malformed`.
    public init(decoding bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard let log = MembershipLog(reading: &reader), reader.isAtEnd else {
            throw CryptoError(.malformed, "The record is not a log of a group.")
        }
        self = log
    }

    init?(reading reader: inout ByteReader) {
        guard reader.integer(UInt8.self) == Self.version, let foundingKey = reader.bytes(32),
            let count = reader.integer(UInt16.self), count <= GroupLimits.maximumOperations
        else { return nil }
        self.init(foundingKey: foundingKey)
        for _ in 0..<count {
            guard let operation = Self.operation(&reader), apply(operation) == .applied else { return nil }
        }
        guard let other = reader.shortField() else { return nil }
        guard !other.isEmpty else { return }
        guard let operation = try? GroupOperation(decoding: other), case .forked = apply(operation) else { return nil }
    }

    /// Encodes an operation after its length.
    static func field(_ operation: GroupOperation) -> [UInt8] {
        [UInt8(operation.bytes.count)] + operation.bytes
    }

    /// Reads the output of `field`.
    static func operation(_ reader: inout ByteReader) -> GroupOperation? {
        reader.shortField().flatMap { try? GroupOperation(decoding: $0) }
    }
}
