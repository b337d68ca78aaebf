import MeshCore
import MeshSimulation
import Testing

@Suite("Null cryptography")
struct NullCryptographyTests {
    private func ciphers(_ initiatorKey: UInt64, _ responderKey: UInt64) -> ((any LinkCipher)?, (any LinkCipher)?) {
        let keys = (NullCryptography(meshKey: initiatorKey), NullCryptography(meshKey: responderKey))
        var initiator = keys.0.nodeKey(seed: 1).initiatorHandshake(header: [1])
        var responder = keys.1.nodeKey(seed: 2).responderHandshake(header: [1])
        guard let first = initiator.writeMessage(), responder.readMessage(first[...]),
            let second = responder.writeMessage(), initiator.readMessage(second[...]),
            let third = initiator.writeMessage(), responder.readMessage(third[...])
        else { return (nil, nil) }
        #expect([first, second, third].map(\.count) == [48, 96, 64])
        #expect(responder.peerKey.map(keys.0.nodeID) == NodeID(1))
        #expect(initiator.peerKey.map(keys.0.nodeID) == NodeID(2))
        return (initiator.finish(), responder.finish())
    }

    @Test("Messages have the sizes of Noise, and sealing adds 16 bytes")
    func sizes() throws {
        var cipher = try #require(ciphers(1, 1).0)
        #expect(cipher.seal([1, 2, 3], packetNumber: 1, phase: 0, header: []).count == 19)
    }

    @Test("Nodes with different mesh keys finish no handshake")
    func meshKeys() {
        #expect(ciphers(1, 2).0 == nil)
        #expect(ciphers(2, 2).0 != nil)
    }

    @Test("Whatever a real cipher authenticates is authenticated")
    func damage() throws {
        let pair = ciphers(1, 1)
        var sender = try #require(pair.0)
        var receiver = try #require(pair.1)
        let sealed = sender.seal([1, 2, 3], packetNumber: 7, phase: 1, header: [9])
        #expect(receiver.open(sealed[...], packetNumber: 7, phase: 1, header: [9]) == [1, 2, 3])
        #expect(receiver.open(sealed[...], packetNumber: 8, phase: 1, header: [9]) == nil)
        #expect(receiver.open(sealed[...], packetNumber: 7, phase: 2, header: [9]) == nil)
        #expect(receiver.open(sealed[...], packetNumber: 7, phase: 1, header: [8]) == nil)
        #expect(sender.open(sealed[...], packetNumber: 7, phase: 1, header: [9]) == nil)
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(receiver.open(damaged[...], packetNumber: 7, phase: 1, header: [9]) == nil)
        }
    }
}

extension LinkCipher {
    /// Seals content under a header and returns the sealed bytes without the header.
    fileprivate mutating func seal(_ content: [UInt8], packetNumber: UInt64, phase: UInt64, header: ArraySlice<UInt8>)
        -> [UInt8]
    {
        var datagram = Array(header) + content
        seal(&datagram, headerByteCount: header.count, packetNumber: packetNumber, phase: phase)
        return Array(datagram[header.count...])
    }
}
