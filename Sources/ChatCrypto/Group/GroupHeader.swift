import Bytes

/// The sealed part of a group message that names the sender key and the position in its chain.
///
/// It is as long as the header between two peers, so that both look alike. Shape: key ID (16) ‖ epoch (4) ‖ iteration
/// (4) ‖ zeros (16). Source: PROTOCOL §16.
struct GroupHeader: Equatable, Sendable {
    let keyID: SenderKeyID
    let epoch: UInt32
    let iteration: UInt32

    private static let zeros = [UInt8](repeating: 0, count: 16)

    init(keyID: SenderKeyID, epoch: UInt32, iteration: UInt32) {
        self.keyID = keyID
        self.epoch = epoch
        self.iteration = iteration
    }

    /// Reads a header; nil for a wrong length, nonzero bytes at the end, or an iteration past the end of every key.
    init?(decoding bytes: [UInt8]) {
        var fields = ByteReader(bytes)
        guard let keyID = fields.bytes(SenderKeyID.byteCount).flatMap({ SenderKeyID(bytes: $0) }),
            let epoch = fields.integer(UInt32.self), let iteration = fields.integer(UInt32.self),
            fields.bytes(16) == Self.zeros, fields.isAtEnd, iteration <= GroupLimits.maximumIteration
        else { return nil }
        self.init(keyID: keyID, epoch: epoch, iteration: iteration)
    }

    var encoded: [UInt8] { keyID.bytes + epoch.bigEndianBytes + iteration.bigEndianBytes + Self.zeros }
}
