/// The delivery setting of a node that is open.
extension ChatNode {
    /// Changes how direct messages and receipts travel, in rooms too.
    ///
    /// The setting holds until the node stops, also while it is locked. ``ChatConfiguration/delivery`` is the setting of
    /// the next start. Messages that are carried at this moment stay on their way.
    ///
    /// - Parameter setting: The new setting; ``NodeStatus/delivery`` is the present one.
    /// - Throws: `stopped`, or the store's error, if the store refuses to write; then a part of the node may have the old setting.
    public func setDelivery(_ setting: DeliverySetting) async throws(ChatError) {
        guard !isStopped else { throw Self.stopped }
        configuration.delivery = setting
        lockedStatus?.delivery = setting
        await mesh.pushThroughNeighbors(setting == .private)
        var failure: ChatError?
        for account in [account] + registry.accounts {
            do { try await account.setDelivery(setting) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
