import MeshCore
import MeshSimulation
import Testing

@Suite("Budgets of the router")
struct RouterBudgetTests {
    private func configuration(_ change: (inout RouterConfiguration) -> Void) -> RouterConfiguration {
        var configuration = RouterConfiguration()
        change(&configuration)
        return configuration
    }

    private func rate(_ count: Int, burst: Int, bytes: Int = 1 << 30, byteBurst: Int = 1 << 30) -> EnvelopeRate {
        EnvelopeRate(count: count, countBurst: burst, bytes: bytes, byteBurst: byteBurst)
    }

    private func areLimited(_ numbers: Range<Int>, _ bench: inout RouterBench, byteCount: Int = 20) -> [Bool] {
        numbers.map {
            bench.receive(RouterBench.envelope($0, byteCount: byteCount), on: 1).last == .dropped(.limited)
        }
    }

    @Test("One link may bring so many envelopes at once and so many a second, whatever the others bring")
    func inboundCount() {
        var bench = RouterBench(configuration { $0.inboundRate = rate(10, burst: 5) })
        bench.connect(1, 2)
        #expect(areLimited(0..<7, &bench) == [false, false, false, false, false, true, true])
        #expect(bench.receive(RouterBench.envelope(99), on: 2).last != .dropped(.limited))
        bench.now = bench.now.advanced(by: .milliseconds(200))
        #expect(areLimited(10..<13, &bench) == [false, false, true])
    }

    @Test("One link may bring so many bytes at once and so many a second")
    func inboundBytes() {
        var bench = RouterBench(
            configuration { $0.inboundRate = rate(1_000, burst: 100, bytes: 10_000, byteBurst: 40_000) }
        )
        bench.connect(1, 2)
        #expect(areLimited(0..<5, &bench, byteCount: 9_996) == [false, false, false, false, true])
        bench.now = bench.now.advanced(by: .seconds(1))
        #expect(areLimited(10..<12, &bench, byteCount: 9_996) == [false, true])
    }

    @Test("What was asked for comes over and above the rate, and only that")
    func askedFor() {
        var bench = RouterBench(configuration { $0.inboundRate = rate(1, burst: 1) })
        bench.connect(1, 2)
        let wanted = (0..<20).map { RouterBench.envelope($0) }
        _ = bench.receive(RouterBench.offer(wanted[0..<10].map { bench.id($0) }), on: 1)
        _ = bench.receive(RouterBench.announce(wanted[10..<20].map { bench.id($0) }), on: 1)
        #expect(areLimited(100..<102, &bench) == [false, true])
        #expect(areLimited(0..<20, &bench) == Array(repeating: false, count: 20))
        #expect(areLimited(0..<1, &bench) == [true])
    }

    @Test("A new link may bring and pass on what it gains in a moment, so that linking again and again gains nothing")
    func newLinks() {
        var bench = RouterBench(isRested: false)
        bench.connect(1)
        var counts: [Int] = []
        for round in 0..<4 {
            let link = UInt64(2 + round)
            bench.connect(link)
            counts.append(
                (0..<2_000).count { number in
                    let envelope = RouterBench.envelope(10_000 * round + number, kind: .live)
                    return bench.receive(envelope, on: link).last != .dropped(.limited)
                }
            )
            bench.router.linkDown(LinkID(link), now: bench.now, over: &bench.links)
            bench.now = bench.now.advanced(by: .milliseconds(1))
        }
        #expect(counts == [250, 250, 250, 250])
        var push = RouterBench(isRested: false)
        push.connect(1)
        for number in 0..<100 { _ = push.submit(RouterBench.envelope(number)) }
        #expect(push.links.takeSent().count { $0.message.first == 0x10 } == 20)
    }

    @Test("Many links full of junk bring no more together, and leave another link its share")
    func intake() {
        var bench = RouterBench()
        bench.connect(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        bench.now = bench.now.advanced(by: .seconds(10))
        var (junk, honest) = (0, 0)
        for step in 0..<500 {
            for link in 1...9 as ClosedRange<UInt64> {
                for number in 0..<5 {
                    let envelope = RouterBench.envelope(1_000 * step + 10 * Int(link) + number)
                    junk += bench.receive(envelope, on: link).count { $0 != .dropped(.limited) && $0.isDelivery }
                }
            }
            let own = RouterBench.envelope(1_000_000 + step)
            if step % 2 == 0 { honest += bench.receive(own, on: 10).count { $0.isDelivery } }
            bench.pass(.milliseconds(10))
        }
        // Five seconds: 4,000 at once, and 1,000 a second; the shares pass at most as much again.
        #expect(honest == 250 && (8_000...14_000).contains(junk))
    }

    @Test("What is sent to a neighbour beyond the rate is announced instead")
    func push() {
        var bench = RouterBench(configuration { $0.pushRate = rate(10, burst: 2) })
        bench.connect(1)
        let own = (0..<5).map { RouterBench.envelope($0) }
        for envelope in own { _ = bench.submit(envelope) }
        #expect(bench.links.takeSent().count == 2)
        bench.pass(.milliseconds(5))
        #expect(bench.links.takeSent().map(\.message) == [RouterBench.announce(own[2...].map { bench.id($0) })])
        bench.pass(.milliseconds(195))
        _ = bench.submit(RouterBench.envelope(9))
        #expect(bench.links.takeSent().count == 1)
    }

    @Test("Beyond its budget a node passes on later, in the order of each link and in turns of all")
    func relay() {
        var bench = RouterBench(configuration { $0.relayRate = rate(10, burst: 1) })
        bench.connect(1, 2, 3)
        for number in 0..<3 {
            _ = bench.receive(RouterBench.envelope(number, byteCount: 2_000), on: 1)
        }
        for number in 10..<13 {
            _ = bench.receive(RouterBench.envelope(number, byteCount: 2_000), on: 2)
        }
        func numbers() -> [UInt8] { bench.links.takeSent().filter { $0.link == LinkID(3) }.map { $0.message[3] } }
        // The budget allows the first envelope, and the share of the other link allows its first.
        #expect(numbers() == [0, 10])
        var order: [UInt8] = []
        for _ in 0..<20 {
            bench.pass(.milliseconds(50))
            order += numbers()
        }
        #expect(order.count == 4)
        #expect(order.filter { $0 < 10 } == [1, 2])
        #expect(order.filter { $0 >= 10 } == [11, 12])
        #expect(order != [1, 2, 11, 12] && order != [11, 12, 1, 2])
    }

    @Test("What this node writes itself waits for nothing")
    func ownWriting() {
        var bench = RouterBench(configuration { $0.relayRate = rate(1, burst: 1) })
        bench.connect(1, 2)
        for number in 0..<50 { _ = bench.submit(RouterBench.envelope(number)) }
        #expect(bench.links.takeSent().count == 100)
    }

    @Test("The queue of one link is bounded; what is beyond stays in the store, and its link is asked for no more")
    func relayQueue() {
        var bench = RouterBench(
            configuration {
                $0.relayRate = rate(1, burst: 1)
                $0.relayQueueLimit = 4
            }
        )
        bench.connect(1, 2)
        let drops = (0..<7).map { bench.receive(RouterBench.envelope($0), on: 1).contains(.dropped(.relayLimited)) }
        #expect(drops == [false, false, false, false, false, true, true])
        #expect(bench.router.store.count == 7)
        #expect(bench.router.relay.count == 4)
        _ = bench.links.takeSent()
        _ = bench.receive(RouterBench.announce([bench.id(RouterBench.envelope(99))]), on: 1)
        #expect(bench.links.takeSent() == [])
        var passed = 0
        for _ in 0..<6 {
            bench.pass(.seconds(1))
            passed += bench.links.takeSent().count { $0.link == LinkID(2) }
        }
        #expect(passed == 4)
        bench.pass(.seconds(1))
        #expect(bench.router.relay.nextDeadline == .distantFuture)
    }

    @Test("What a link brought is passed on though it has ended since")
    func endedLink() {
        var bench = RouterBench(configuration { $0.relayRate = rate(1, burst: 1) })
        bench.connect(1, 2)
        for number in 0..<3 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        _ = bench.links.takeSent()
        for _ in 0..<3 { bench.pass(.seconds(1)) }
        #expect(bench.links.takeSent().map { $0.message[3] } == [1, 2])
    }

    @Test("A link below its share waits for nothing, however much waits of others")
    func fairShare() {
        var bench = RouterBench(configuration { $0.relayRate = rate(100, burst: 20) })
        bench.connect(1, 2)
        for number in 0..<500 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        #expect(bench.router.relay.count > 400)
        var waits = 0
        for number in 1_000..<1_100 {
            bench.pass(.milliseconds(25))
            _ = bench.links.takeSent()
            _ = bench.receive(RouterBench.envelope(number), on: 2)
            if !bench.links.takeSent().contains(where: { $0.link == LinkID(1) }) { waits += 1 }
        }
        #expect(waits == 0)
    }

    @Test("This node's own probes have a share of the rate, and the first copy of one leaves a trail")
    func ownProbes() {
        var bench = RouterBench()
        bench.connect(1, 2)
        for number in 0..<20 {
            #expect(bench.router.admitsProbe(byteCount: 20, now: bench.now))
            _ = bench.submit(RouterBench.envelope(number, kind: .probe))
        }
        #expect(!bench.router.admitsProbe(byteCount: 20, now: bench.now))
        #expect(bench.submit(RouterBench.envelope(30, kind: .probe)) == [.dropped(.limited)])
        bench.now = bench.now.advanced(by: .seconds(2))
        let probe = RouterBench.envelope(50, kind: .probe)
        let count = bench.trails.count
        for link in [1, 2] as [UInt64] { _ = bench.receive(probe, on: link) }
        #expect(bench.trails.dropFirst(count).map(\.hop) == [.link(LinkID(1))])
    }

    @Test("A link full of probes keeps neither those of other links nor this node's own away")
    func probeFlood() {
        var bench = RouterBench()
        bench.connect(1, 2, 3)
        var (flood, others, own) = (0, 0, 0)
        for step in 0..<100 {
            for number in 0..<10 {
                let probe = RouterBench.envelope(1_000 + 10 * step + number, kind: .probe)
                flood += bench.receive(probe, on: 1).count { $0.isDelivery }
            }
            if step % 2 == 0 {
                others += bench.receive(RouterBench.envelope(step, kind: .probe), on: 2).count { $0.isDelivery }
            }
            if step % 4 == 0, bench.router.admitsProbe(byteCount: 20, now: bench.now) {
                own += bench.submit(RouterBench.envelope(500 + step, kind: .probe)).isEmpty ? 1 : 0
            }
            flood += bench.pass(.milliseconds(100)).count { $0.isDelivery }
        }
        // Ten seconds: 20 a second and a burst for all; the links with fewer than their shares have all of theirs.
        #expect(others == 50 && own == 25)
        #expect((100...150).contains(flood))
        #expect((8...16).contains(bench.router.probes.count))
    }

    @Test("A probe for which its link has no room may still come by another link")
    func refusedProbe() {
        var bench = RouterBench()
        bench.connect(1, 2)
        bench.now = bench.now.advanced(by: .seconds(1))
        for number in 0..<60 { _ = bench.receive(RouterBench.envelope(number, kind: .probe), on: 1) }
        let probe = RouterBench.envelope(100, kind: .probe)
        #expect(bench.receive(probe, on: 1) == [.dropped(.limited)])
        #expect(bench.receive(probe, on: 2).contains { $0.isDelivery })
        #expect(bench.receive(probe, on: 1) == [.dropped(.duplicate)])
    }

    @Test("A link that comes and goes gives no other link new tokens")
    func keptShares() {
        var bench = RouterBench(configuration { $0.relayRate = rate(100, burst: 40) })
        bench.connect(1, 2, 3, 4)
        bench.now = bench.now.advanced(by: .seconds(1))
        for number in 0..<40 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        #expect(bench.router.relay.count == 0)
        for round in 0..<50 {
            bench.connect(UInt64(10 + round))
            bench.router.linkDown(LinkID(UInt64(10 + round)), now: bench.now, over: &bench.links)
        }
        bench.router.linkDown(LinkID(4), now: bench.now, over: &bench.links)
        for number in 100..<105 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        #expect(bench.router.relay.count == 5)
    }

    @Test("A link that had to wait once goes on within its share while others use up all the rest")
    func waitingWithinShare() {
        var bench = RouterBench(configuration { $0.relayRate = rate(100, burst: 10) })
        bench.connect(1, 2)
        for number in 0..<40 { _ = bench.receive(RouterBench.envelope(number), on: 1) }
        // The second link is new and has nothing of its share yet, so that what it brings waits.
        for number in 100..<120 { _ = bench.receive(RouterBench.envelope(number), on: 2) }
        _ = bench.links.takeSent()
        var passed = 0
        for step in 0..<100 {
            for number in 0..<3 { _ = bench.receive(RouterBench.envelope(1_000 + 3 * step + number), on: 1) }
            bench.pass(.milliseconds(10))
            passed += bench.links.takeSent().count { $0.link == LinkID(1) }
        }
        #expect(passed == 20)
    }

    @Test("A probe waits two seconds at most, and may come again by another link if its own has ended")
    func waitingProbes() {
        var bench = RouterBench()
        bench.connect(1, 2)
        bench.now = bench.now.advanced(by: .seconds(1))
        for number in 0..<60 { _ = bench.receive(RouterBench.envelope(number, kind: .probe), on: 1) }
        #expect(bench.router.probes.count == 16)
        bench.router.linkDown(LinkID(1), now: bench.now, over: &bench.links)
        #expect(bench.router.probes.count == 0)
        // The last of the first sixteen that waited comes by another link, whose share lasts for some.
        let again = bench.receive(RouterBench.envelope(35, kind: .probe), on: 2)
        #expect(again.contains { $0.isDelivery } || bench.router.probes.count == 1)
        for number in 100..<160 { _ = bench.receive(RouterBench.envelope(number, kind: .probe), on: 2) }
        #expect(bench.router.probes.count == 16)
        let late = bench.pass(.milliseconds(2_001))
        #expect(late.count { $0.isDelivery } == 0 && bench.router.probes.count == 0)
    }

    @Test("First messages have rates of their own, per link and for all links, and what was asked for comes besides")
    func firstMessages() {
        var bench = RouterBench()
        bench.connect(1, 2, 3)
        func taken(_ numbers: Range<Int>, on link: UInt64) -> Int {
            numbers.count {
                bench.receive(RouterBench.envelope($0, kind: .prekey), on: link).last != .dropped(.limited)
            }
        }
        #expect(taken(0..<100, on: 1) == 20)
        #expect(bench.receive(RouterBench.envelope(1_000), on: 1).last != .dropped(.limited))
        #expect(taken(100..<120, on: 2) == 20)
        bench.now = bench.now.advanced(by: .seconds(1))
        #expect(taken(200..<300, on: 1) == 5)
        let wanted = (300..<360).map { RouterBench.envelope($0, kind: .prekey) }
        _ = bench.receive(RouterBench.announce(wanted.map { bench.id($0) }), on: 1)
        #expect(taken(300..<360, on: 1) == 60)
    }

    @Test("A new link begins with half of the first messages that it may bring at once")
    func firstMessagesOfNewLinks() {
        var bench = RouterBench(isRested: false)
        bench.connect(1, 2)
        let taken = (0..<20).count { number in
            bench.receive(RouterBench.envelope(number, kind: .prekey), on: 1).last != .dropped(.limited)
        }
        #expect(taken == 10)
        _ = bench.links.takeSent()
        for number in 100..<120 { _ = bench.submit(RouterBench.envelope(number, kind: .prekey)) }
        let pushed = bench.links.takeSent().filter { $0.link == LinkID(2) && $0.message.first.map { $0 >> 4 } == 1 }
        // The ten that came before went on to this link as well.
        #expect(pushed.count == 0)
    }

    @Test("All links together bring no more first messages at once than the node takes")
    func firstMessagesOfAll() {
        var bench = RouterBench()
        bench.connect(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
        var counts: [Int] = []
        for link in 1...14 {
            counts.append(
                (0..<30).count { number in
                    let envelope = RouterBench.envelope(link * 100 + number, kind: .prekey)
                    return bench.receive(envelope, on: UInt64(link)).last != .dropped(.limited)
                }
            )
        }
        #expect(counts == Array(repeating: 20, count: 12) + [0, 0])
        bench.now = bench.now.advanced(by: .seconds(1))
        let later = (1...14).map { link in
            (0..<30).count { number in
                let envelope = RouterBench.envelope(link * 100 + 50 + number, kind: .prekey)
                return bench.receive(envelope, on: UInt64(link)).last != .dropped(.limited)
            }
        }
        #expect(later.reduce(0, +) == 50)
    }

    @Test("A burst of first messages is lost nowhere: 870 of a room of 30 cross three nodes within two seconds")
    func honestBurst() {
        // The author's neighbour forwards them to a second relay, and that relay forwards them to the last.
        var benches = [RouterBench(seed: 1), RouterBench(seed: 2), RouterBench(seed: 3)]
        for index in benches.indices { benches[index].connect(1, 2) }
        for number in 0..<870 { _ = benches[0].submit(RouterBench.envelope(number, kind: .prekey)) }
        for _ in 0..<400 {
            for index in benches.indices {
                for sent in benches[index].links.takeSent() {
                    // Link 2 leads to the next bench, link 1 to the previous one.
                    let next = sent.link == LinkID(2) ? index + 1 : index - 1
                    guard benches.indices.contains(next) else { continue }
                    _ = benches[next].receive(sent.message, on: sent.link == LinkID(2) ? 1 : 2, lane: sent.lane)
                }
            }
            for index in benches.indices { benches[index].pass(.milliseconds(5)) }
        }
        #expect(benches.map { $0.router.store.count } == [870, 870, 870])
    }
}
