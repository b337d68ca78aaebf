import Bytes
import Testing

@testable import ChatCrypto
@testable import MeshCore

/// Tests of the datagrams of a link with both modules: ChatCrypto seals, MeshCore frames.
@Suite("Known datagrams")
struct DatagramVectorTests {
    @Test("Handshake datagrams and the first packet are the known ones, and are taken by the other side")
    func link() throws {
        let known = try VectorFile("datagrams").cases[0]
        let address = try #require(IPAddress(bytes: [10, 0, 0, 1] as [UInt8]))
        let here = Endpoint(interface: InterfaceID(index: 1, family: .v4), address: address, port: 1)
        func key(_ side: String) throws -> NodeKeyOfTest {
            NodeKeyOfTest(pair: NodeKeyPair(seed: SecretBytes(copying: try known.bytes("\(side) node key"))))
        }
        let dial = try Randomness.$tape.withValue(RandomTape(try known.bytes("initiator ephemeral"))) {
            Dial(
                to: nil,
                at: here,
                from: NodeID(try known.integer("initiator node")),
                key: try key("initiator"),
                connection: UInt32(try known.integer("initiator cid")),
                configuration: LinkConfiguration(),
                resendDelay: .milliseconds(20),
                isRepeated: true,
                now: .zero
            )
        }
        #expect(try dial.initiation.encoded() == known.bytes("init"))
        var proven = dial.initiation
        proven.cookie = try known.bytes("cookie")
        #expect(try proven.encoded() == known.bytes("init with cookie"))
        let retry = LinkDatagram.Retry(connection: proven.connection, cookie: proven.cookie)
        #expect(try retry.encoded() == known.bytes("retry"))

        guard case .initiation(let initiation) = LinkDatagram(decoding: try known.bytes("init with cookie")) else {
            Issue.record("no INIT")
            return
        }
        #expect(initiation == proven)
        try expectAnswer(known, to: initiation, from: here, by: dial, key: try key("responder"))
    }

    private func expectAnswer(
        _ known: VectorCase,
        to initiation: LinkDatagram.Initiation,
        from here: Endpoint,
        by dial: Dial,
        key: NodeKeyOfTest
    ) throws {
        var reader = key.responderHandshake(header: initiation.header)
        let isRead = reader.readMessage(initiation.message[...])
        #expect(isRead)
        let answered = try Randomness.$tape.withValue(RandomTape(try known.bytes("responder ephemeral"))) { [reader] in
            Answer(
                to: initiation,
                from: here,
                ownNode: NodeID(try known.integer("responder node")),
                connection: UInt32(try known.integer("responder cid")),
                handshake: reader,
                isProven: true,
                since: .zero,
                expiresAt: .zero
            )
        }
        let answer = try #require(answered)
        #expect(try answer.response.encoded() == known.bytes("resp"))
        let outcome = try #require(dial.finish(answer.response))
        #expect(try NodeKeyPair.nodeID(of: outcome.peerKey) == known.bytes("responder node"))
        #expect(try outcome.proof == known.bytes("message 3"))
        let packet = try #require(LinkDatagram.DataPacket(decoding: outcome.proof))
        let finished = try #require(packet.thirdMessage.flatMap { answer.finish($0) })
        #expect(try NodeKeyPair.nodeID(of: finished.peerKey) == known.bytes("initiator node"))
        try expectFirstPacket(known, from: outcome.cipher, to: finished.cipher, connection: answer.connection)
    }

    private func expectFirstPacket(
        _ known: VectorCase,
        from cipher: any LinkCipher,
        to other: any LinkCipher,
        connection: UInt32
    ) throws {
        var (sender, receiver) = (cipher, other)
        let frames = try known.bytes("frames")
        var writer = LinkDatagram.DataPacket.begin(phase: 0, connection: connection, number: 1)
        writer.append(frames)
        var datagram = writer.take()
        let headerByteCount = LinkDatagram.DataPacket.headerByteCount
        sender.seal(&datagram, headerByteCount: headerByteCount, packetNumber: 1, phase: 0)
        #expect(try datagram == known.bytes("data"))
        let packet = try #require(LinkDatagram.DataPacket(decoding: datagram))
        #expect(receiver.open(packet.sealed, packetNumber: 1, phase: 0, header: packet.header) == frames)
        #expect(Frame.decode(frames)?.count == 2)
    }

    @Test("Each known frame is one frame, which has the same bytes again", arguments: try VectorFile("frames").cases)
    func frames(known: VectorCase) throws {
        let bytes = try known.bytes("frame")
        let frames = try #require(Frame.decode(bytes))
        #expect(frames.count == 1)
        var writer = ByteWriter()
        for frame in frames { frame.encode(into: &writer) }
        #expect(writer.bytes == bytes)
    }

    @Test("The known sum is that of the known status")
    func statusSum() throws {
        let frames = try VectorFile("frames").cases.flatMap { Frame.decode(try $0.bytes("frame")) ?? [] }
        let sums = frames.compactMap { frame -> UInt32? in
            switch frame {
            case .status(let status): status.sum
            case .statusSum(let sum): sum
            default: nil
            }
        }
        #expect(sums.count == 2 && Set(sums).count == 1)
    }

    @Test("Each known beacon is made of its fields and taken in its mesh", arguments: try VectorFile("beacon").cases)
    func beacon(known: VectorCase) throws {
        let beacon = Beacon(
            flags: Beacon.Flags(rawValue: UInt8(try known.number("flags"))),
            unicastPort: UInt16(try known.number("port")),
            node: NodeID(try known.integer("node")),
            interval: UInt16(try known.number("interval")),
            sequence: UInt16(try known.number("sequence")),
            shelf: Shelf(of: UInt16(try known.integer("shelf")), depth: UInt8(try known.number("depth"))),
            minutes: UInt32(try known.number("minutes")),
            networkTag: UInt32(try known.integer("tag"))
        )
        let key = try VectorFile("mesh_key").cases[0].bytes("beacon key")
        let network = BeaconNetwork(tag: beacon.networkTag, beaconKey: beacon.networkTag == 0 ? nil : key)
        let bytes = try known.bytes("beacon")
        let address = try #require(IPAddress(bytes: known.bytes("address")))
        #expect(beacon.sealed(from: address, by: network) == bytes)
        var otherTags = TokenBucket(rate: 1, burst: 1)
        let opened = Beacon(opening: bytes, from: address, by: network, otherTags: &otherTags, now: .zero)
        #expect(opened == beacon)
    }
}

/// A node key as the mesh sees it.
private struct NodeKeyOfTest: NodeKey {
    let pair: NodeKeyPair

    var publicKey: [UInt8] { pair.publicKey }

    func initiatorHandshake(header: [UInt8]) -> any LinkHandshake {
        Handshake(noise: .initiator(meshKey: .open, nodeKey: pair, header: header))
    }

    func responderHandshake(header: [UInt8]) -> any LinkHandshake {
        Handshake(noise: .responder(meshKey: .open, nodeKey: pair, header: header))
    }
}

/// A handshake as the mesh sees it.
private struct Handshake: LinkHandshake {
    var noise: LinkNoise

    var peerKey: [UInt8]? { noise.peerKey }
    mutating func writeMessage() -> [UInt8]? { noise.writeMessage() }
    mutating func readMessage(_ message: ArraySlice<UInt8>) -> Bool { noise.readMessage(message) }
    mutating func finish() -> (any LinkCipher)? { noise.finish().map(Ciphers.init) }
}

/// A link's ciphers as the mesh sees them.
private struct Ciphers: LinkCipher {
    var ciphers: LinkCiphers

    mutating func seal(_ datagram: inout [UInt8], headerByteCount: Int, packetNumber: UInt64, phase: UInt64) {
        ciphers.seal(&datagram, headerByteCount: headerByteCount, packetNumber: packetNumber, phase: phase)
    }

    mutating func open(
        _ ciphertext: ArraySlice<UInt8>,
        packetNumber: UInt64,
        phase: UInt64,
        header: ArraySlice<UInt8>
    ) -> [UInt8]? {
        ciphers.open(ciphertext, packetNumber: packetNumber, phase: phase, header: header)
    }
}

/// The cryptography of a network on a single day; a beacon needs no more.
private struct BeaconNetwork: MeshCryptography {
    let tag: UInt32
    let beaconKey: [UInt8]?

    func networkTags() -> [UInt32] { tag == 0 ? [] : [tag] }
    func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(message, key: SecretBytes(copying: key)).prefix(16))
    }
    func envelopeID(kindByte: UInt8, body: ArraySlice<UInt8>) -> EnvelopeID { preconditionFailure() }
    func proofHash(deliveryProof: [UInt8]) -> [UInt8] { preconditionFailure() }
    func shortHash(of shortID: UInt64, salt: UInt64) -> UInt64 { preconditionFailure() }
    func nodeKey(seed: UInt64) -> any NodeKey { preconditionFailure() }
    func nodeID(of publicKey: [UInt8]) -> NodeID { preconditionFailure() }
}

extension VectorCase {
    /// Returns bytes as a number.
    fileprivate func integer(_ name: String) throws -> UInt64 { try bytes(name).reduce(0) { $0 << 8 | UInt64($1) } }
}
