import Bytes

/// The sealed part of a message that names its position in the ratchet.
///
/// Shape: ratchet key (32) ‖ length of the chain before (4) ‖ number (4). Source: PROTOCOL §8.
struct RatchetHeader: Equatable, Sendable {
    let ratchetKey: [UInt8]
    let previousCount: UInt32
    let number: UInt32

    init(ratchetKey: [UInt8], previousCount: UInt32, number: UInt32) {
        self.ratchetKey = ratchetKey
        self.previousCount = previousCount
        self.number = number
    }

    /// Reads a header; nil for a wrong length or a number past the end of every chain.
    init?(decoding bytes: [UInt8]) {
        var fields = ByteReader(bytes)
        guard let ratchetKey = fields.bytes(32), let previousCount = fields.integer(UInt32.self),
            let number = fields.integer(UInt32.self), fields.isAtEnd,
            number <= SessionLimits.maximumMessageNumber, previousCount <= SessionLimits.maximumMessageNumber + 1
        else { return nil }
        self.init(ratchetKey: ratchetKey, previousCount: previousCount, number: number)
    }

    var encoded: [UInt8] { ratchetKey + previousCount.bigEndianBytes + number.bigEndianBytes }
}
