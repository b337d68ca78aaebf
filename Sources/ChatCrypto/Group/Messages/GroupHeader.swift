import Bytes

/// The sealed part of a group message that names the chain of the sender and the position in it.
///
/// It is as long as the header between two peers, so that both look alike. Shape: slot, FFFF for a notice (2) ‖ device
/// (1) ‖ zero (1) ‖ epoch (4) ‖ iteration (4) ‖ run (4) ‖ zeros (24). Source: PROTOCOL §16.
struct GroupHeader: Equatable, Sendable {
    let slot: UInt16
    let device: UInt8
    let epoch: UInt32
    let iteration: UInt32
    /// The run of the device.
    let run: UInt32

    /// The slot of notices, which no member has.
    static let noticeSlot: UInt16 = .max
    private static let zeros = [UInt8](repeating: 0, count: 24)

    init(slot: UInt16, device: UInt8, epoch: UInt32, run: UInt32 = 0, iteration: UInt32) {
        self.run = run
        self.slot = slot
        self.device = device
        self.epoch = epoch
        self.iteration = iteration
    }

    /// The header of a notice.
    static func notice(epoch: UInt32) -> GroupHeader {
        GroupHeader(slot: noticeSlot, device: 0, epoch: epoch, iteration: 0)
    }

    /// Reads a header; nil for a wrong length, nonzero bytes at the end, a device that no member has, or an iteration
    /// past the end of every chain.
    init?(decoding bytes: [UInt8]) {
        var fields = ByteReader(bytes)
        guard let slot = fields.integer(UInt16.self), let device = fields.byte(), fields.byte() == 0,
            let epoch = fields.integer(UInt32.self), let iteration = fields.integer(UInt32.self),
            let run = fields.integer(UInt32.self), fields.bytes(24) == Self.zeros, fields.isAtEnd,
            device < GroupLimits.maximumDevices, iteration <= GroupLimits.maximumIteration,
            run <= GroupLimits.maximumRun
        else { return nil }
        self.init(slot: slot, device: device, epoch: epoch, run: run, iteration: iteration)
        guard slot < GroupLimits.maximumMembers || self == .notice(epoch: epoch) else { return nil }
    }

    var encoded: [UInt8] {
        slot.bigEndianBytes + [device, 0] + epoch.bigEndianBytes + iteration.bigEndianBytes + run.bigEndianBytes
            + Self.zeros
    }
}
