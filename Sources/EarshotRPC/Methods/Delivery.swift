package import Earshot

package struct DeliveryCall: RPCMethod {
    package static let name = "delivery"
    package static let summary = "Returns the delivery setting, and changes it until the node ends if one is given."
    package static let parameters: RPCParameters = ["setting": "`auto`, `private` or `fast`."]
    package static let example = DeliveryCall(setting: "private")

    /// The present setting.
    package struct Reply: Codable, Hashable, Sendable {
        /// The setting, as in `status`.
        package let setting: String
        /// True while direct messages are carried.
        package let carrying: Bool
    }

    let setting: String?

    package var isAct: Bool { setting != nil }

    package init(setting: String? = nil) { self.setting = setting }

    package func perform(on node: ChatNode) async throws -> Reply {
        if let setting {
            guard let known = DeliverySetting(rawValue: setting) else {
                throw RPCError(.invalidParameters, "The parameter `setting` is auto, private or fast.")
            }
            try await node.setDelivery(known)
        }
        let status = await node.status
        return Reply(setting: status.delivery.rawValue, carrying: status.isCarrying)
    }
}
