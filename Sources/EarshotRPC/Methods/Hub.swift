import ChatCrypto
package import Earshot

package struct HubsCall: RPCMethod {
    package static let name = "hubs"
    package static let summary = "Lists the hubs with which the node exchanges mail for its mesh, and their states."
    package static let needsKeys = false
    package static let example = HubsCall()

    package init() {}

    package func perform(on node: ChatNode) async -> HubsReply { await HubsReply(node) }
}

package struct AddHubCall: RPCMethod {
    package static let name = "hubs.add"
    package static let summary = "Adds a hub to the node's list, or changes its login, and connects with it."
    package static let parameters: RPCParameters = [
        "address": "The address, such as `tls://hub.example.org` or `tls://USER:PASSWORD@hub.example.org:4222`."
    ]
    package static let example = AddHubCall(address: "tls://hub.example.org")

    let address: String

    package init(address: String) { self.address = address }

    package func perform(on node: ChatNode) async throws -> HubsReply {
        try await node.hubChanges().add([address])
        return await HubsReply(node)
    }
}

package struct RemoveHubCall: RPCMethod {
    package static let name = "hubs.remove"
    package static let summary = "Removes a hub from the node's list, and leaves it."
    package static let parameters: RPCParameters = ["address": "The address or the name of the hub."]
    package static let example = RemoveHubCall(address: "hub.example.org")

    let address: String

    package init(address: String) { self.address = address }

    package func perform(on node: ChatNode) async throws -> HubsReply {
        try await node.hubChanges().remove(address)
        return await HubsReply(node)
    }
}

package struct ReloadHubsCall: RPCMethod {
    package static let name = "hubs.reload"
    package static let summary = "Reads the list of hubs in the data directory anew, and connects with those on it."
    package static let needsKeys = false
    package static let example = ReloadHubsCall()

    /// The outcome of the call.
    package struct Reply: Codable, Hashable, Sendable {
        /// False if this node connects with no hub.
        package let connects: Bool
    }

    package init() {}

    package func perform(on node: ChatNode) async throws -> Reply { Reply(connects: try await node.reloadHubs()) }
}

package struct FollowCall: RPCMethod {
    package static let name = "follow"
    package static let summary = """
        Follows a link for first messages from afar, so that its owner can be written to; a hub that the node lacks is \
        named and not joined before the user agrees.
        """
    package static let parameters: RPCParameters = [
        "link": "The link of an identity, which begins with `earshot:peer`.",
        "addHubs": """
        True to add the hubs of the link, false to do without them; without a value nothing changes if the node \
        lacks them.
        """,
    ]
    package static let example = FollowCall(link: "earshot:peer?id=\(String(repeating: "b2", count: 32))")

    /// The outcome of the call.
    package struct Reply: Codable, Hashable, Sendable {
        /// The peer ID of the owner.
        package let id: String
        /// The names of the hubs that the node lacks, and of which the user is to be asked; empty once followed.
        package let missing: [String]
    }

    let link: String
    let addHubs: Bool?

    package init(link: String, addHubs: Bool? = nil) { (self.link, self.addHubs) = (link, addHubs) }

    package func perform(on node: ChatNode) async throws -> Reply {
        guard let code = IdentityCode(link) else {
            throw RPCError(.invalidParameters, "The link of an identity begins with earshot:peer.")
        }
        let isAsking = addHubs != false && code.token != nil && !code.hubs.isEmpty
        let changes = isAsking ? try await node.hubChanges() : nil
        let missing = try await changes?.missing(code.hubs) ?? []
        guard missing.isEmpty || addHubs == true else { return Reply(id: code.id.description, missing: missing) }
        // A link that has ended, and the own one, leave the list alone.
        try await node.contacts.follow(code)
        if !missing.isEmpty { try await changes?.add(code.hubs) }
        return Reply(id: code.id.description, missing: [])
    }
}

extension ChatNode {
    /// The reason why the list of hubs cannot change, and the remedy; nil if it can.
    fileprivate var hubAdvice: String? {
        guard let hubs else { return "This node connects with no hubs. Run `earshot web` or `earshot node` instead." }
        guard hubs.changes == nil else { return nil }
        return "Your node was started with --no-hub, and connects with none. Start it without --no-hub to use hubs."
    }

    /// Returns the way to change the list of hubs.
    fileprivate func hubChanges() throws(RPCError) -> HubChanges {
        guard let changes = hubs?.changes else {
            var refusal = RPCError(.unavailable, hubAdvice ?? "")
            refusal.data?.code = "noHubs"
            throw refusal
        }
        return changes
    }
}

/// The hubs of a node on the wire.
package struct HubsReply: Codable, Hashable, Sendable {
    /// The hubs, in the order of the list; with at least one the node is a gateway of its mesh.
    package let hubs: [HubReply]
    /// The addresses of those that were given at the start of the node, and can be changed there alone.
    package let fixed: [String]
    /// Whether calls can change the list.
    package let changeable: Bool
    /// The reason why calls cannot change the list, and the remedy; absent if they can.
    package let advice: String?
    /// The time since a node of the mesh announced that it exchanges mail with hubs; absent if none did.
    ///
    /// Units: seconds.
    package let gateway: Int?

    init(_ node: ChatNode) async {
        let status = await node.status
        hubs = status.hubs.map(HubReply.init)
        fixed = await node.hubs?.changes?.fixed ?? []
        advice = await node.hubAdvice
        changeable = advice == nil
        gateway = status.gatewayAge.map { Int(clamping: $0.components.seconds) }
    }
}

/// A hub of the node on the wire.
package struct HubReply: Codable, Hashable, Sendable {
    /// The name of the hub; never its login.
    package let host: String
    /// The address of the hub, such as `tls://hub.example.org`; never its login.
    package let address: String
    /// `idle`, `connecting`, `checking`, `catchingUp`, `live`, `waiting` until the next attempt, or `refused` if login,
    /// certificate or address do not fit.
    package let state: String
    /// The beginning of the state.
    ///
    /// Units: milliseconds since 1970.
    package let since: UInt64
    /// The time from a message to its acknowledgement; absent before the first.
    ///
    /// Units: milliseconds.
    package let rtt: Double?
    /// The mailboxes that nodes of this mesh watch.
    package let tags: Int
    /// The envelopes that the hub has acknowledged.
    package let sent: Int
    /// The envelopes that came from the hub.
    package let fetched: Int
    /// The envelopes that wait for the hub; absent without a connection, for then the mesh keeps them.
    package let waiting: Int?
    /// The envelopes that the hub has refused.
    package let refused: Int
    /// The machine-readable name of the last finding; absent if all is well.
    package let problem: String?
    /// The finding and its remedy, in sentences.
    package let advice: String?

    init(_ report: HubReport) {
        host = report.host
        address = report.address
        state = report.state
        since = report.since.milliseconds
        rtt = report.roundTrip.map { ($0 / .microseconds(1)).rounded() / 1_000 }
        tags = report.tagCount
        sent = report.sentCount
        fetched = report.fetchedCount
        waiting = report.waitingCount
        refused = report.refusedCount
        problem = report.problem
        advice = report.advice
    }
}
