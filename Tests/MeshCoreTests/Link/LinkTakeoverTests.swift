import Testing

@testable import MeshCore

@Suite("Takeover of links")
struct LinkTakeoverTests {
    /// Nodes 0 and 1 are linked; node 2 is the attacker, who shows what a test says.
    private static func attacked(as node: NodeID, salt: UInt64) -> LinkNetwork {
        var network = LinkNetwork(nodes: [NodeID(1), NodeID(2), NodeID(3)])
        network.dial(0, to: 1)
        network.run(for: .seconds(5))
        network.tables[2] = LinkNetwork.table(node, salt: salt, seed: 5)
        network.log = []
        return network
    }

    private static func downs(_ network: LinkNetwork) -> Int {
        network.log.count { if case .down = $0.effect { true } else { false } }
    }

    private static func expectHonestLink(_ network: LinkNetwork) {
        var network = network
        network.log = []
        network.send([1], from: 0)
        network.run(for: .milliseconds(100))
        #expect(network.messages(at: 1) == [[1]])
    }

    @Test("A copied node id gets no link, and the copied node loses none", arguments: [false, true])
    func copiedID(isKnownEndpoint: Bool) throws {
        var network = Self.attacked(as: NodeID(3), salt: 0)
        if isKnownEndpoint { network.endpoints[2] = network.endpoints[0] }
        // The attacker has its own key, and shows the id of node 0 in its INIT.
        let cryptography = NullLinkCryptography(firstEphemeral: 99_000)
        let header = LinkDatagram.Initiation.header(connection: 77, node: NodeID(1))
        var handshake = cryptography.nodeKey(seed: 3).initiatorHandshake(header: header)
        let message = handshake.writeMessage() ?? []
        let initiation = LinkDatagram.Initiation(connection: 77, node: NodeID(1), message: message)
        let source = network.endpoints[2]
        network.isRecording = true
        network.inject(initiation.encoded(), to: 1, from: source)
        let answer = try #require(network.sent.last { $0.bytes.first == 0x12 }).bytes
        guard case .response(let response) = LinkDatagram(decoding: answer) else { return }
        let isRead = handshake.readMessage(response.message[...])
        #expect(isRead)
        let third = handshake.writeMessage() ?? []
        let proof = LinkDatagram.DataPacket.encoded(thirdMessage: third, connection: response.sender)
        network.inject(proof, to: 1, from: source)
        #expect(network.effects(of: 1) == [.dropped(.handshakeRefused)])
        #expect(network.tables[1].answers.isEmpty)
        #expect(network.tables[1].links.map(\.node) == [NodeID(1)])
        network.endpoints[2] = LinkNetwork.endpoint(3)
        Self.expectHonestLink(network)
    }

    @Test("Another key with the same node id, as only a collision could give, replaces no link")
    func collidingID() {
        var network = Self.attacked(as: NodeID(1), salt: 9)
        network.dial(2, to: 1)
        network.run(for: .seconds(5))
        #expect(network.tables[1].links.map(\.endpoint) == [LinkNetwork.endpoint(1)])
        #expect(network.effects(of: 1).contains(.dropped(.handshakeRefused)))
        Self.expectHonestLink(network)
    }

    @Test("Another key at a copied address and port gets a link beside the honest one, which stays")
    func copiedEndpoint() {
        var network = Self.attacked(as: NodeID(3), salt: 0)
        // The attacker receives what is sent to the endpoint, as by a forged address resolution, while it dials.
        let honest = network.endpoints[0]
        network.endpoints[2] = honest
        network.endpoints[0] = LinkNetwork.endpoint(200)
        network.dial(2, to: 1)
        network.run(for: .milliseconds(5))
        network.endpoints[2] = LinkNetwork.endpoint(3)
        network.endpoints[0] = honest
        network.run(for: .milliseconds(500))
        #expect(network.tables[1].links.map(\.node) == [NodeID(1), NodeID(3)])
        #expect(Self.downs(network) == 0)
        Self.expectHonestLink(network)
    }

    @Test("A dial goes on when another node answers it, and gets its link when the wanted one answers")
    func otherAnswer() {
        var network = LinkNetwork(nodes: [NodeID(1), NodeID(2), NodeID(3)])
        let wanted = network.endpoints[1]
        // The first answer comes from node 2, which received the INIT in the place of node 1.
        network.endpoints[1] = LinkNetwork.endpoint(9)
        network.endpoints[2] = wanted
        network.call(0) { $0.dial(NodeID(2), at: wanted, now: $1, into: &$2) }
        network.run(for: .milliseconds(10))
        #expect(network.effects(of: 0) == [.answered(wanted), .dropped(.handshakeRefused)])
        #expect(network.tables[0].dials.count == 1)
        network.endpoints[1] = wanted
        network.endpoints[2] = LinkNetwork.endpoint(3)
        network.run(for: .milliseconds(100))
        #expect(network.tables[0].links.map(\.node) == [NodeID(2)])
    }

    @Test("A peer that restarted at its endpoint with a new key is linked at once, and its dead link ends soon")
    func restart() {
        var network = Self.attacked(as: NodeID(3), salt: 0)
        network.tables[0] = LinkNetwork.table(NodeID(40))
        network.dial(0, to: 1)
        network.run(for: .milliseconds(100))
        #expect(network.tables[0].links.map(\.node) == [NodeID(2)])
        #expect(network.tables[1].links.map(\.node) == [NodeID(1), NodeID(40)])
        network.run(for: .milliseconds(2_000))
        #expect(network.tables[1].links.map(\.node) == [NodeID(40)])
        #expect(network.effects(of: 1).contains(.down(LinkID(1), node: NodeID(1), reason: .timedOut)))
    }

    @Test("Four links of one attacker leave the links of others as they were")
    func clique() {
        var network = LinkNetwork(nodes: (1...8).map { NodeID(UInt64($0)) })
        for node in 1...7 {
            network.dial(node, to: 0)
            network.run(for: .milliseconds(700))
        }
        network.log = []
        for node in 1...7 {
            // Whoever copies all ids and dials for 30 seconds has the keys of none.
            let table = LinkNetwork.table(NodeID(UInt64(node + 1)), salt: 1, seed: UInt64(node))
            let honest = network.tables[node]
            network.tables[node] = table
            network.dial(node, to: 0)
            network.run(for: .milliseconds(5))
            network.tables[node] = honest
        }
        network.run(for: .seconds(5))
        #expect(Self.downs(network) == 0)
        #expect(network.tables[0].links.count == 7)
    }
}
