import Testing

@testable import ChatCrypto

@Suite("Session properties")
struct SessionPropertyTests {
    @Test(
        "Under any order, loss and repetition of 1,000 packets each message comes at most once, with its own text",
        arguments: [81, 82] as [UInt64]
    )
    func disorder(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        var pair = try Pair()
        var packets: [(text: String, packet: InboundPacket)] = []
        for number in 0..<1_000 {
            packets.append(("\(number)", try pair.alice.send("\(number)", to: pair.bob)))
        }
        var deliveries: [Int] = []
        for number in packets.indices where random.below(5) > 0 {
            deliveries.append(number)
            if random.below(3) == 0 { deliveries.append(number) }
        }
        for index in deliveries.indices.reversed() { deliveries.swapAt(index, random.below(index + 1)) }
        var shown: [Int: Int] = [:]
        for number in deliveries {
            guard let text = try pair.bob.receive(packets[number].packet) else { continue }
            #expect(text == packets[number].text)
            shown[number, default: 0] += 1
        }
        #expect(shown.values.allSatisfy { $0 == 1 })
        #expect(Set(shown.keys) == Set(deliveries))
    }

    @Test("The same with both sides talking, so that the ratchet turns in between", arguments: [83, 84] as [UInt64])
    func disorderInTurns(seed: UInt64) throws {
        var random = SeededBytes(seed: seed)
        let pair = try Pair()
        var people = [pair.alice, pair.bob]
        var wire: [(to: Int, text: String, packet: InboundPacket)] = []
        var shown: Set<String> = []
        for number in 0..<1_000 {
            let side = random.below(2)
            let text = "\(side).\(number)"
            let packet = try people[side].send(text, to: people[1 - side])
            wire.append((1 - side, text, packet))
            while !wire.isEmpty, random.below(3) > 0 {
                let index = random.below(wire.count)
                let arrival = wire[index]
                if random.below(4) > 0 { wire.remove(at: index) }
                guard random.below(10) > 0 else { continue }
                guard let received = try people[arrival.to].receive(arrival.packet) else {
                    #expect(shown.contains(arrival.text))
                    continue
                }
                #expect(received == arrival.text)
                #expect(shown.insert(received).inserted)
            }
        }
        #expect(shown.count > 500)
    }

    @Test("Sealed bodies have a bucket's size and no byte that stands out")
    func looksRandom() throws {
        var pair = try Pair()
        var counts = [Int](repeating: 0, count: 256)
        var total = 0
        for number in 0..<600 {
            let text = String(repeating: "a", count: number)
            let packet = try pair.alice.send(text, to: pair.bob)
            #expect(Padding.buckets.contains(4 + packet.body.count - 16))
            for byte in packet.body { counts[Int(byte)] += 1 }
            total += packet.body.count
        }
        let expected = Double(total) / 256
        let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // With 255 degrees of freedom a value beyond 400 occurs about once in a hundred million runs.
        #expect(chiSquare < 400)
    }
}
