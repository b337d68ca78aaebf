import MeshCore

/// A host of a hostile machine: a node's link layer without its discovery and router.
struct HostileHost: Sendable {
    /// A link with an honest host.
    struct OpenLink: Sendable {
        let id: LinkID
        let host: Int
    }

    let number: Int
    private let meshKey: UInt64
    private(set) var node: NodeID
    private var table: LinkTable
    private var effects: [LinkEffect] = []
    /// Whether something may wait to be sent.
    private var isTouched = false
    private(set) var links: [OpenLink] = []
    /// The messages that came in the current step.
    private(set) var messages: [(bytes: [UInt8], link: OpenLink)] = []
    /// The last beacon of an honest host.
    private(set) var beacon: [UInt8]?
    /// The last INIT with a cookie to each honest host.
    private(set) var provenInitiations: [Int: [UInt8]] = [:]
    /// The connection number of the last link that an honest host answered.
    private(set) var connection: UInt32?
    /// The endpoint that all its datagrams claim to come from; nil for its own.
    var claimed: Endpoint?

    init(number: Int, node: NodeID, meshKey: UInt64) {
        self.number = number
        self.meshKey = meshKey
        self.node = node
        table = Self.table(node, NullCryptography(meshKey: meshKey))
    }

    /// Forgets all links without a word, and goes on under another node id.
    ///
    /// The key of a copied id stays with its owner.
    mutating func restart(as node: NodeID, isCopied: Bool) {
        self.node = node
        let own = NullCryptography(meshKey: meshKey)
        table = Self.table(node, isCopied ? NullCryptography(meshKey: meshKey, copiedID: node) : own)
        (links, connection) = ([], nil)
    }

    /// Takes what has arrived, and does what is due.
    ///
    /// A host to which nothing came does so only if `isTick`.
    mutating func receive(from net: inout SimNet, isTick: Bool) {
        messages.removeAll(keepingCapacity: true)
        let datagrams = net.takeReceived(by: number)
        guard isTick || !datagrams.isEmpty else { return }
        for datagram in datagrams {
            if datagram.isMulticast || datagram.bytes.first == UInt8(ascii: "E") {
                beacon = datagram.bytes
            } else {
                connection = HostileMessage.connection(answeredBy: datagram.bytes) ?? connection
                table.receive(datagram.bytes, from: datagram.source, now: net.now, into: &effects)
            }
        }
        table.tick(now: net.now, into: &effects)
        settle(&net)
        isTouched = true
    }

    /// Dials an honest host, if there is no link with it and no dial.
    mutating func dial(_ endpoint: Endpoint, now: MeshInstant) {
        isTouched = true
        table.dial(nil, at: endpoint, now: now, into: &effects)
    }

    /// Queues a message on a link; returns false if the lane is full.
    @discardableResult
    mutating func send(_ message: [UInt8], on link: LinkID, lane: Lane = .interactive) -> Bool {
        isTouched = true
        return table.send(message, lane: lane, tag: 0, on: link)
    }

    /// Sets the status for all neighbours.
    mutating func setStatus(_ status: LinkStatus, now: MeshInstant) {
        isTouched = true
        table.setStatus(status, now: now)
    }

    /// Sends what is queued.
    mutating func flush(into net: inout SimNet) {
        guard isTouched else { return }
        isTouched = false
        table.flush(now: net.now, into: &effects)
        settle(&net)
    }

    private mutating func settle(_ net: inout SimNet) {
        while !effects.isEmpty {
            let batch = effects
            effects.removeAll(keepingCapacity: true)
            for effect in batch { carryOut(effect, &net) }
        }
    }

    private mutating func carryOut(_ effect: LinkEffect, _ net: inout SimNet) {
        switch effect {
        case .send(let bytes, let endpoint):
            if HostileMessage.showsCookie(bytes) { provenInitiations[SimHost.number(at: endpoint.address)] = bytes }
            net.send(bytes, ofHostile: number, claiming: claimed, to: endpoint)
        case .up(let info):
            links.append(OpenLink(id: info.id, host: SimHost.number(at: info.endpoint.address)))
        case .down(let id, _, _): links.removeAll { $0.id == id }
        case .message(let bytes, _, let id):
            guard let link = links.first(where: { $0.id == id }) else { return }
            messages.append((bytes, link))
        case .dialFailed, .answered, .datagram, .transmitted, .acknowledged, .status, .writable, .moved, .dropped:
            break
        }
    }

    /// A link layer that refuses nobody.
    private static func table(_ node: NodeID, _ cryptography: NullCryptography) -> LinkTable {
        var configuration = LinkConfiguration()
        configuration.acceptLimit = limit
        configuration.maximumLinkCount = limit
        configuration.maximumDialCount = limit
        configuration.linksPerAddress = limit
        configuration.statusInterval = .zero
        var table = LinkTable(
            nodeKey: cryptography.nodeKey(seed: node.value),
            configuration: configuration,
            cryptography: cryptography,
            random: MeshRandom(seed: node.value)
        )
        table.setStatus(LinkStatus(), now: .zero)
        return table
    }

    private static let limit = 10_000
}
