/// The owner's message to a new member: the log, the header key of the present epoch, and prekey bundles of members.
///
/// A log that does not fit is cut. The missing operations arrive by other means, and the keys are valid once all
/// operations are there. Shape: version 1 (1) ‖ remaining seconds (4) ‖ epoch (4) ‖ header key (32) ‖ founding key (32)
/// ‖ bundle count (1) ‖ per bundle length (2) and bytes ‖ operation count (2) ‖ per operation length (1) and bytes.
/// Source: PROTOCOL §16.
public struct GroupWelcome: Sendable {
    /// The time that the group will last by its owner's clock; 0 for a group without end.
    ///
    /// Units: seconds.
    public let remainingSeconds: UInt32
    /// The epoch that the header key belongs to.
    public let epoch: UInt32
    /// The log from its first operation on; it may be incomplete.
    public private(set) var log: MembershipLog
    /// Prekey bundles of members, the owner's first; those of other members may be missing.
    public let bundles: [PrekeyBundle]
    let headerKey: SecretBytes

    /// Whether all operations up to the epoch are there.
    public var isWhole: Bool { log.epoch == epoch }

    /// Takes an operation that was left out, if it is the next one, and answers whether it was.
    @discardableResult
    public mutating func take(_ operation: GroupOperation) -> Bool {
        guard !isWhole, operation.epoch == log.epoch + 1 else { return false }
        return log.apply(operation) == .applied
    }

    private static let version: UInt8 = 1
    private static let fixedByteCount = 1 + 4 + 4 + 32 + 32 + 1 + 2

    /// Makes a welcome without the bundles and operations that do not fit.
    ///
    /// Bundles are left out before operations.
    init(
        log: MembershipLog,
        headerKey: SecretBytes,
        remainingSeconds: UInt32,
        bundles: [PrekeyBundle],
        maximumByteCount: Int
    ) {
        self.remainingSeconds = remainingSeconds
        self.headerKey = headerKey
        epoch = log.epoch
        var room = maximumByteCount - Self.fixedByteCount
        let operationByteCount = log.operations.reduce(0) { $0 + 1 + $1.bytes.count }
        var kept: [PrekeyBundle] = []
        for bundle in bundles.prefix(GroupLimits.maximumMembers) {
            // The first bundle is that of the owner, who answers requests for missing operations. The other bundles
            // yield to the log.
            let reserved = kept.isEmpty ? 0 : operationByteCount
            guard room - 2 - bundle.bytes.count >= reserved else { continue }
            room -= 2 + bundle.bytes.count
            kept.append(bundle)
        }
        self.bundles = kept
        self.log = log.prefix(byteCount: room)
    }

    /// Reads a welcome.
    ///
    /// - Throws: `malformed`. A welcome never carries a fork, so `frozen` is not thrown.
    public init(decoding bytes: SecretBytes) throws(CryptoError) {
        var reader = SecretReader(bytes)
        guard reader.integer(UInt8.self) == Self.version, let remaining = reader.integer(UInt32.self),
            let epoch = reader.integer(UInt32.self), let headerKey = reader.secret(32),
            let foundingKey = reader.bytes(32), let bundleCount = reader.integer(UInt8.self),
            Int(bundleCount) <= GroupLimits.maximumMembers
        else { throw Self.malformed }
        var bundles: [PrekeyBundle] = []
        for _ in 0..<bundleCount {
            guard let count = reader.integer(UInt16.self), let bytes = reader.bytes(Int(count)),
                let bundle = try? PrekeyBundle(verifying: bytes)
            else { throw Self.malformed }
            bundles.append(bundle)
        }
        guard let count = reader.integer(UInt16.self), count <= epoch, epoch <= GroupLimits.maximumOperations else {
            throw Self.malformed
        }
        var log = MembershipLog(foundingKey: foundingKey)
        for _ in 0..<count {
            guard let length = reader.integer(UInt8.self), let bytes = reader.bytes(Int(length)),
                let operation = try? GroupOperation(decoding: bytes), log.apply(operation) == .applied
            else { throw Self.malformed }
        }
        guard reader.isAtEnd else { throw Self.malformed }
        self.remainingSeconds = remaining
        self.epoch = epoch
        self.headerKey = headerKey
        self.bundles = bundles
        self.log = log
    }

    /// Encodes the welcome; send it to the new member and to no other peer.
    public func encoded() -> SecretBytes {
        var writer = SecretWriter()
        writer.append(integer: Self.version)
        writer.append(integer: remainingSeconds)
        writer.append(integer: epoch)
        writer.append(headerKey)
        writer.append(log.foundingKey)
        writer.append(integer: UInt8(bundles.count))
        for bundle in bundles {
            writer.append(integer: UInt16(bundle.bytes.count))
            writer.append(bundle.bytes)
        }
        writer.append(integer: UInt16(log.operations.count))
        for operation in log.operations { writer.append(MembershipLog.field(operation)) }
        return writer.finish()
    }

    private static let malformed = CryptoError(.malformed, "The bytes are not a welcome to a group.")
}

extension MembershipLog {
    /// Makes a log of the first operations, as many as fit into the byte count.
    fileprivate func prefix(byteCount: Int) -> MembershipLog {
        var room = byteCount
        var log = MembershipLog(foundingKey: foundingKey)
        for operation in operations {
            room -= 1 + operation.bytes.count
            guard room >= 0 else { break }
            _ = log.apply(operation)
        }
        return log
    }
}
