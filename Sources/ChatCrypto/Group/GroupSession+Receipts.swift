import Bytes

extension GroupSession {
    /// Chooses the members that confirm a message: all in a group of up to 32 members, else 16 that every member computes
    /// alike and that nobody outside the group knows.
    ///
    /// - Parameters:
    ///   - message: the ID of the message.
    ///   - number: the epoch of the message.
    /// - Returns: slots in rising order; none if the epoch's keys are erased. Members that were removed after a past epoch
    ///   are not among them. Then others take their places, and members may differ for as long as they apply operations at
    ///   different times.
    public func confirmingSlots(for message: MessageID, epoch number: UInt32) -> [UInt16] {
        guard let epoch = epochs.first(where: { $0.number == number }), log.policy.hasReceipts else { return [] }
        let slots = log.table.members.filter { $0.entry.epoch <= number }.map(\.slot)
        guard slots.count > GroupLimits.confirmingMembers else { return slots }
        let key = HMACSHA256.PreparedKey(epoch.noticeKey)
        let ranked = slots.map { (HMACSHA256.code(message.bytes, $0.bigEndianBytes, key: key), $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        return ranked.prefix(GroupLimits.sampledMembers).map(\.1).sorted()
    }
}
