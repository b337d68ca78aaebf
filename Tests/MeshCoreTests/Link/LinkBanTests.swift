import Testing

@testable import MeshCore

@Suite("Bans")
struct LinkBanTests {
    private static func instant(_ seconds: Int) -> MeshInstant {
        MeshInstant.zero.advanced(by: .seconds(seconds))
    }

    @Test("A banned endpoint gets no link for 60 s whoever dials, and for 120 s the next time")
    func banAndReturn() {
        var network = LinkNetwork.linked()
        network.run(for: .milliseconds(100))
        for seconds in [60, 120] {
            network.log = []
            let start = network.now
            guard let link = network.tables[0].links.first?.id else { return }
            network.call(0) { $0.ban(link, now: $1, into: &$2) }
            network.run(for: .milliseconds(10))
            #expect(network.effects(of: 0) == [.down(link, node: NodeID(2), reason: .misbehaved)])
            network.run(until: start.advanced(by: .seconds(seconds - 1)))
            network.dial(1, to: 0)
            network.dial(0, to: 1)
            network.run(for: .milliseconds(500))
            #expect(network.effects(of: 0).contains(.dropped(.banned)))
            #expect(network.tables.map { $0.links.count } == [0, 0])
            network.run(for: .seconds(8))
            network.dial(1, to: 0)
            network.run(for: .milliseconds(500))
            #expect(network.tables.map { $0.links.count } == [1, 1])
        }
    }

    @Test("Bans double up to an hour and are forgotten an hour after their end")
    func lengths() {
        var bans = Bans(configuration: LinkConfiguration())
        let endpoint = LinkNetwork.endpoint(1)
        var time = 0
        for length in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
            bans.add(endpoint, now: Self.instant(time))
            #expect(bans.holds(endpoint, now: Self.instant(time + length - 1)))
            #expect(!bans.holds(endpoint, now: Self.instant(time + length)))
            #expect(!bans.holds(LinkNetwork.endpoint(1, port: 9), now: Self.instant(time)))
            time += length
        }
        bans.add(endpoint, now: Self.instant(time + 3600))
        #expect(!bans.holds(endpoint, now: Self.instant(time + 3660)))
    }

    @Test("256 endpoints are banned and no more; the one whose ban ends first gives way")
    func limit() {
        var bans = Bans(configuration: LinkConfiguration())
        for host in 0..<300 {
            bans.add(LinkNetwork.endpoint(host), now: Self.instant(0).advanced(by: .seconds(host / 10)))
        }
        #expect(bans.count == 256)
        let held = (0..<300).filter { bans.holds(LinkNetwork.endpoint($0), now: Self.instant(30)) }
        #expect(held == Array(44..<300))
    }
}
