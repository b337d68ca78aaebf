import ChatCrypto
package import Earshot

package struct StatusCall: RPCMethod {
    package static let name = "status"
    package static let summary = "Returns the state of the node."
    package static let needsKeys = false
    package static let example = StatusCall()

    package init() {}

    package func perform(on node: ChatNode) async -> StatusReply { StatusReply(await node.status) }
}

package struct MetricsCall: RPCMethod {
    package static let name = "metrics"
    package static let summary = "Returns the node's metrics."
    package static let needsKeys = false
    package static let example = MetricsCall()

    package init() {}

    package func perform(on node: ChatNode) async -> MetricsReply { MetricsReply(await node.metrics) }
}

package struct SubscribeCall: RPCMethod {
    package static let name = "subscribe"
    package static let summary = "Subscribes to events from now on; a new call changes their types."
    package static let parameters: RPCParameters = [
        "events": "The types of events, besides `lagged`, which is always sent; all by default."
    ]
    package static let needsKeys = false
    package static let example = SubscribeCall(events: ["message", "status"])

    let events: [String]?

    package init(events: [String]? = nil) { self.events = events }

    package func perform(on node: ChatNode) throws -> EmptyReply {
        guard (events ?? []).allSatisfy(RPCEvent.types.contains) else {
            throw RPCError(
                .invalidParameters,
                "The events of this release are \(RPCEvent.types.joined(separator: ", "))."
            )
        }
        return EmptyReply()
    }
}

package struct PresentCall: RPCMethod {
    package static let name = "present"
    package static let summary = "Reports that a person uses the client, so that the node does not lock itself."
    package static let example = PresentCall()

    package init() {}

    package func perform(on node: ChatNode) -> EmptyReply { EmptyReply() }
}

package struct PageCall: RPCMethod {
    package static let name = "page"
    package static let summary = "Serves the node's page if needed, and returns an address that opens it once."
    package static let parameters: RPCParameters = [
        "port": "The TCP port, if the page is not served yet; any by default."
    ]
    package static let needsKeys = false
    package static let example = PageCall(port: 8_080)

    /// The name of the error for a page that cannot be served.
    package static let noPage = "noPage"

    /// The address of the page.
    package struct Reply: Codable, Hashable, Sendable {
        /// The address, valid for one browser.
        package let url: String

        package init(url: String) { self.url = url }
    }

    /// The TCP port; nil for any.
    package let port: UInt16?

    package init(port: UInt16? = nil) { self.port = port }

    // The node does not serve the page: the dispatcher asks the page's server first.
    package func perform(on node: ChatNode) throws -> Reply {
        var refusal = RPCError(.unavailable, "The page of this node cannot be served here.")
        refusal.data?.code = Self.noPage
        throw refusal
    }
}

/// Serves the page if it is not served yet, and makes an address that opens it once.
package typealias PageOpening = @Sendable (PageCall) async throws(RPCError) -> PageCall.Reply

package struct EndPageCall: RPCMethod {
    package static let name = "page.end"
    package static let summary = "Ends all sessions of the page, and all unused addresses."
    package static let needsKeys = false
    package static let example = EndPageCall()

    package init() {}

    package func perform(on node: ChatNode) -> EmptyReply { EmptyReply() }
}

/// Ends sessions of the page: all of them, or all except that of the calling page.
package typealias PageEnding = @Sendable () async -> Void

package struct ShutdownCall: RPCMethod {
    package static let name = "shutdown"
    package static let summary = "Ends the node's process after the answer."
    package static let needsKeys = false
    package static let example = ShutdownCall()

    package init() {}

    package func perform(on node: ChatNode) -> EmptyReply { EmptyReply() }
}
/// A node's status on the wire.
package struct StatusReply: Codable, Hashable, Sendable {
    /// The node's own peer ID.
    package let id: String
    /// The node's nickname.
    package let name: String
    /// The fingerprint.
    ///
    /// Shape: 30 digits in groups of five.
    package let fingerprint: String
    /// The version of the program.
    package let version: String
    /// The time since the start.
    ///
    /// Units: seconds, to the millisecond.
    package let uptime: Double
    /// The number of links that are up.
    package let links: Int
    /// The number of discovered neighbours.
    package let neighbours: Int
    /// The number of known contacts.
    package let contacts: Int
    /// The number of own messages without a receipt.
    package let outbox: Int
    /// The number of stored envelopes.
    package let carried: Int
    /// The number of signs that a program other than Earshot has changed the stored data.
    ///
    /// `history.check` lists them.
    package let tampering: Int
    /// True for a node whose own identity is revoked.
    ///
    /// The node writes nothing under it any more. Absent for others.
    package let revoked: Bool?
    /// True for a data directory that has a passphrase and can be locked; absent for others.
    package let passphrase: Bool?
    /// Units: bytes of the attachments, including those of rooms.
    package let mediaBytes: UInt64
    /// Units: bytes that the attachments may take.
    package let mediaLimit: UInt64
    /// The delivery setting.
    ///
    /// With `private`, direct messages and receipts are posted to everybody. With `fast` they are carried to their
    /// recipients. With `auto` they are posted until the mesh is busy.
    package let delivery: String
    /// True while direct messages are carried: relays between two nodes then learn that they exchange messages.
    package let carrying: Bool
    /// The hubs with which the node exchanges mail for its mesh; absent without one.
    package let hubs: [HubReply]?
    /// The time since a node of the mesh announced that it exchanges mail with hubs; absent if none did.
    ///
    /// Units: seconds.
    package let gateway: Int?
    /// Whether the node is locked; a locked node reports contacts and outbox as 0.
    package let locked: Bool

    package init(_ status: NodeStatus) {
        id = status.id.description
        name = status.name
        fingerprint = status.fingerprint
        version = status.version
        let (seconds, attoseconds) = status.uptime.components
        uptime = Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1_000
        links = status.linkCount
        neighbours = status.neighbourCount
        contacts = status.contactCount
        outbox = status.outboxCount
        carried = status.carriedCount
        tampering = status.tamperSignCount
        revoked = status.isRevoked ? true : nil
        passphrase = status.hasPassphrase ? true : nil
        mediaBytes = status.mediaByteCount
        mediaLimit = status.mediaByteLimit
        delivery = status.delivery.rawValue
        carrying = status.isCarrying
        locked = status.isLocked
        hubs = status.hubs.isEmpty ? nil : status.hubs.map(HubReply.init)
        gateway = status.gatewayAge.map { Int(clamping: $0.components.seconds) }
    }
}

/// Metrics on the wire: an object with a number for each name, or an object of numbers for each name with classes.
package struct MetricsReply: Codable, Hashable, Sendable {
    /// One metric, or several by class.
    package enum Value: Codable, Hashable, Sendable {
        /// A metric without classes.
        case number(Double)
        /// A metric by classes.
        case numbers([String: Double])

        /// Reads a number or an object of numbers.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .numbers(try container.decode([String: Double].self))
            }
        }

        /// Writes a number or an object of numbers.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .numbers(let numbers): try container.encode(numbers)
            }
        }
    }

    /// The metrics by name.
    package let values: [String: Value]

    package init(_ metrics: [Metric]) {
        let pairs = metrics.map { metric -> (String, Value) in
            guard metric.labelName != nil else { return (metric.name, .number(metric.samples.first?.value ?? 0)) }
            let numbers = metric.samples.map { ($0.label ?? "", $0.value) }
            return (metric.name, .numbers(Dictionary(numbers, uniquingKeysWith: +)))
        }
        values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the object.
    package init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: Value].self)
    }

    /// Writes the object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
