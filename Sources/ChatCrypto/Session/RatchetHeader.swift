import Bytes

/// The sealed part of a message that names its position in the ratchet.
///
/// Shape: ratchet key (32) ‖ epoch (4) ‖ length of the chain before (2) ‖ number (2). Source: PROTOCOL §8.
struct RatchetHeader: Equatable, Sendable {
    let ratchetKey: [UInt8]
    /// The epoch whose secret entered the step that began the chain.
    let epoch: UInt32
    let previousCount: UInt32
    let number: UInt32

    init(ratchetKey: [UInt8], epoch: UInt32, previousCount: UInt32, number: UInt32) {
        self.ratchetKey = ratchetKey
        self.epoch = epoch
        self.previousCount = previousCount
        self.number = number
    }

    /// Reads a header; nil for a wrong length or a number past the end of every chain.
    init?(decoding bytes: [UInt8]) {
        var fields = ByteReader(bytes)
        guard let ratchetKey = fields.bytes(32), let epoch = fields.integer(UInt32.self),
            let previousCount = fields.integer(UInt16.self), let number = fields.integer(UInt16.self), fields.isAtEnd,
            UInt32(number) <= SessionLimits.maximumMessageNumber
        else { return nil }
        self.init(
            ratchetKey: ratchetKey,
            epoch: epoch,
            previousCount: UInt32(previousCount),
            number: UInt32(number)
        )
    }

    /// The encoded header; a count beyond 65,535, which no chain reaches, is written as that.
    var encoded: [UInt8] {
        ratchetKey + epoch.bigEndianBytes + UInt16(clamping: previousCount).bigEndianBytes
            + UInt16(clamping: number).bigEndianBytes
    }
}
