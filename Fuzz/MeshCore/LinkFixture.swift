import Bytes

#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// A table with one established link, to a peer whose keys the fuzzer has.
struct LinkFixture: Sendable {
    static let endpoint = endpoint(2)
    var table: LinkTable
    let connection: UInt32

    init() {
        let cryptography = NullCryptography()
        func makeTable(_ node: UInt64) -> LinkTable {
            LinkTable(
                nodeKey: cryptography.nodeKey(seed: node),
                configuration: LinkConfiguration(),
                cryptography: cryptography,
                random: MeshRandom(seed: node)
            )
        }
        table = makeTable(1)
        var peer = makeTable(2)
        var effects: [LinkEffect] = []
        var answers: [LinkEffect] = []
        table.dial(NodeID(2), at: Self.endpoint, now: .zero, into: &effects)
        for case .send(let bytes, _) in effects {
            peer.receive(bytes, from: Self.endpoint(1), now: .zero, into: &answers)
        }
        for case .send(let bytes, _) in answers {
            table.receive(bytes, from: Self.endpoint, now: .zero, into: &effects)
        }
        table.flush(now: .zero, into: &effects)
        guard let link = table.established.first else { preconditionFailure("no link: \(effects)") }
        connection = link.localConnection
        // Several packets are in flight, so that acknowledgements can be wrong about them.
        for lane in Lane.allCases {
            let message = [UInt8](repeating: lane.rawValue, count: 2_000)
            _ = table.send(message, lane: lane, tag: 1, on: link.id)
        }
        table.flush(now: .zero, into: &effects)
    }

    /// Makes a packet of the peer with any content under any number.
    func packet(_ frames: [UInt8], number: UInt64, phase: UInt64) -> [UInt8] {
        var cipher = NullCipher(meshKey: 0, isInitiator: false)
        var writer = LinkDatagram.DataPacket.begin(phase: phase, connection: connection, number: number)
        writer.append(frames)
        var packet = writer.take()
        let headerByteCount = LinkDatagram.DataPacket.headerByteCount
        cipher.seal(&packet, headerByteCount: headerByteCount, packetNumber: number, phase: phase)
        return packet
    }

    static func endpoint(_ last: UInt8) -> Endpoint {
        guard let address = IPAddress(bytes: [10, 0, 0, last]) else { preconditionFailure("4 bytes") }
        return Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: 9)
    }
}
