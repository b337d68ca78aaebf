import ChatCrypto

/// The parts of the state that a welcome names, or of the secrets of all nodes for a new owner: these are too long for
/// one content and travel over a session.
///
/// Parts come in any order. Source: PROTOCOL §16.5.
package struct GroupParts: Sendable {
    /// One part.
    package struct Part: Hashable, Sendable {
        /// Whether the part is of the secrets.
        let isOfSecrets: Bool
        /// The epoch of the whole.
        let epoch: UInt32
        /// The length of the whole.
        ///
        /// Units: bytes.
        let byteCount: UInt32
        /// The place of the part in the whole.
        ///
        /// Units: bytes.
        let offset: UInt32
        let bytes: [UInt8]

        /// Whether place and length fit each other and the limits.
        var isValid: Bool {
            byteCount > 0 && byteCount <= UInt32(GroupLimits.maximumCheckpointByteCount) && offset < byteCount
                && offset.isMultiple(of: UInt32(ChatLimits.partByteCount))
                && bytes.count == min(ChatLimits.partByteCount, Int(byteCount - offset))
        }
    }

    private let epoch: UInt32
    private let byteCount: UInt32
    private var parts: [UInt32: [UInt8]] = [:]
    /// Units: bytes.
    private(set) var collected = 0

    /// Begins with the first part that came.
    init(_ part: Part) {
        epoch = part.epoch
        byteCount = part.byteCount
    }

    /// Whether the part is of the same whole.
    func isOf(_ part: Part) -> Bool { part.epoch == epoch && part.byteCount == byteCount }

    /// Takes a part; returns the whole once it is complete.
    mutating func take(_ part: Part) -> [UInt8]? {
        guard isOf(part), part.isValid else { return nil }
        if parts.updateValue(part.bytes, forKey: part.offset) == nil { collected += part.bytes.count }
        guard collected == Int(byteCount) else { return nil }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Splits a whole.
    static func split(_ whole: [UInt8], isOfSecrets: Bool, epoch: UInt32) -> [Part] {
        stride(from: 0, to: whole.count, by: ChatLimits.partByteCount).map { offset in
            Part(
                isOfSecrets: isOfSecrets,
                epoch: epoch,
                byteCount: UInt32(clamping: whole.count),
                offset: UInt32(clamping: offset),
                bytes: Array(whole[offset..<min(whole.count, offset + ChatLimits.partByteCount)])
            )
        }
    }
}
