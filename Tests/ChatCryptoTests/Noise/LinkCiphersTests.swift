import Testing

@testable import ChatCrypto

@Suite("Link ciphers")
struct LinkCiphersTests {
    private static func pair() -> (LinkCiphers, LinkCiphers) {
        let (one, other) = (SecretBytes.random(count: 32), SecretBytes.random(count: 32))
        return (
            LinkCiphers(sendingKey: one, receivingKey: other), LinkCiphers(sendingKey: other, receivingKey: one)
        )
    }

    @Test("A datagram opens once for its number, phase and header, and not for others")
    func bindsItsPlace() {
        var (near, far) = Self.pair()
        let sealed = near.seal([1, 2, 3], packetNumber: 5, phase: 0, header: [7])
        #expect(sealed.count == 19)
        #expect(far.open(sealed[...], packetNumber: 6, phase: 0, header: [7]) == nil)
        #expect(far.open(sealed[...], packetNumber: 5, phase: 1, header: [7]) == nil)
        #expect(far.open(sealed[...], packetNumber: 5, phase: 0, header: [8]) == nil)
        #expect(far.open(sealed.dropLast(), packetNumber: 5, phase: 0, header: [7]) == nil)
        #expect(far.open([], packetNumber: 5, phase: 0, header: [7]) == nil)
        #expect(near.open(sealed[...], packetNumber: 5, phase: 0, header: [7]) == nil)
        #expect(far.open(sealed[...], packetNumber: 5, phase: 0, header: [7]) == [1, 2, 3])
    }

    @Test("Datagrams of the phase before still open after a change of key, older ones no more")
    func keepsOnePhase() {
        var (near, far) = Self.pair()
        let sealed = (UInt64(0)..<4).map { near.seal([UInt8($0)], packetNumber: $0, phase: $0 / 2, header: []) }
        let late = near.seal([9], packetNumber: 9, phase: 2, header: [])
        #expect(far.open(sealed[0][...], packetNumber: 0, phase: 0, header: []) == [0])
        #expect(far.open(sealed[2][...], packetNumber: 2, phase: 1, header: []) == [2])
        #expect(far.open(sealed[1][...], packetNumber: 1, phase: 0, header: []) == [1])
        #expect(far.open(late[...], packetNumber: 9, phase: 2, header: []) == [9])
        #expect(far.open(sealed[3][...], packetNumber: 3, phase: 1, header: []) == [3])
        #expect(far.open(sealed[1][...], packetNumber: 1, phase: 0, header: []) == nil)
    }

    @Test("A forged change of key changes nothing")
    func keepsPhaseOnForgery() {
        var (near, far) = Self.pair()
        let forged = [UInt8](repeating: 0, count: 40)[...]
        for phase in UInt64(1)...3 {
            #expect(far.open(forged, packetNumber: phase, phase: phase, header: []) == nil)
        }
        let sealed = near.seal([1], packetNumber: 0, phase: 0, header: [])
        #expect(far.open(sealed[...], packetNumber: 0, phase: 0, header: []) == [1])
    }

    @Test("A side that only listened catches up with the other's phase")
    func catchesUp() {
        var (near, far) = Self.pair()
        for phase in UInt64(0)...5 {
            let sealed = near.seal([1], packetNumber: phase, phase: phase, header: [])
            #expect(far.open(sealed[...], packetNumber: phase, phase: phase, header: []) == [1])
        }
        let answer = far.seal([2], packetNumber: 0, phase: 5, header: [])
        #expect(near.open(answer[...], packetNumber: 0, phase: 5, header: []) == nil)
        #expect(near.open(answer[...], packetNumber: 0, phase: .max, header: []) == nil)
    }

    @Test("A number of the other side's that is out of range is refused, not trapped on")
    func refusesExtremes() {
        var (_, far) = Self.pair()
        let junk = [UInt8](repeating: 1, count: 32)[...]
        #expect(far.open(junk, packetNumber: .max, phase: 0, header: []) == nil)
        #expect(far.open(junk, packetNumber: .max - 1, phase: .max, header: []) == nil)
    }

    @Test("Sealing twice under one packet number stops the program")
    func guardsNonces() async {
        await #expect(processExitsWith: .failure) {
            var (near, _) = LinkCiphersTests.pair()
            _ = near.seal([], packetNumber: 3, phase: 0, header: [])
            _ = near.seal([], packetNumber: 3, phase: 1, header: [])
        }
    }

    @Test("Rekeying is Noise's, and no key comes back")
    func rekeys() {
        var key = SecretBytes.random(count: 32)
        var seen: Set<[UInt8]> = [key.exposed]
        for _ in 0..<50 {
            key = CipherState.rekeyed(key)
            #expect(seen.insert(key.exposed).inserted)
        }
    }
}

extension LinkCiphers {
    /// Seals content under a header and returns the sealed bytes without the header.
    mutating func seal(_ content: [UInt8], packetNumber: UInt64, phase: UInt64, header: ArraySlice<UInt8>) -> [UInt8] {
        var datagram = Array(header) + content
        seal(&datagram, headerByteCount: header.count, packetNumber: packetNumber, phase: phase)
        return Array(datagram[header.count...])
    }
}
