import MeshCore
import Testing

@testable import MeshCore

@Suite("Wanted envelopes")
struct WantedTests {
    private let now = MeshInstant.zero

    /// Makes a table with links 1 to `linkCount`.
    private func table(limit: Int = 100, announcedLimit: Int = 100, linkCount: UInt64 = 3) -> Wanted {
        var wanted = Wanted(limit: limit, announcedLimit: announcedLimit)
        for link in 1...linkCount { wanted.add(LinkID(link)) }
        return wanted
    }

    /// Takes everything that waits for a link.
    private func takeAll(_ link: UInt64, _ wanted: inout Wanted) -> [UInt64] {
        var taken: [UInt64] = []
        while let shortID = wanted.takeWaiting(.offered, of: LinkID(link)) { taken.append(shortID) }
        return taken
    }

    @Test("Of one envelope eight holders are known, and each is asked in turn")
    func holders() {
        var wanted = table(linkCount: 10)
        for link in 1...10 as ClosedRange<UInt64> { wanted.offer(7, by: LinkID(link), now: now) }
        #expect(wanted[7]?.holders.map(\.link) == (1...8).map { LinkID($0) })
        for link in 1...8 as ClosedRange<UInt64> {
            let next = wanted.takeWaiting(.offered, of: LinkID(link))
            #expect(next == 7)
            wanted.ask(LinkID(link), for: 7, now: now, due: .distantFuture)
            #expect(wanted.askedCount(.offered, of: LinkID(link)) == 1)
            wanted.giveUp(LinkID(link), now: now)
        }
        #expect(wanted.count == 0)
    }

    @Test("In a full table the link with most offers makes room for another, and for nobody if it names more itself")
    func fullTable() {
        var wanted = table(limit: 10)
        for shortID in 0..<20 as Range<UInt64> { wanted.offer(shortID, by: LinkID(1), now: now) }
        #expect(wanted.namedCount(.offered, by: LinkID(1)) == 10)
        for shortID in 100..<120 as Range<UInt64> { wanted.offer(shortID, by: LinkID(2), now: now) }
        #expect(wanted.count == 10)
        #expect(takeAll(1, &wanted) == Array(0..<5) && takeAll(2, &wanted) == Array(100..<105))
    }

    @Test("An envelope that another link names too stays when the link with most offers makes room")
    func sharedRoom() {
        var wanted = table(limit: 4)
        for shortID in 0..<4 as Range<UInt64> { wanted.offer(shortID, by: LinkID(1), now: now) }
        wanted.announce(3, by: LinkID(2), isFresh: true, due: now, retry: .zero, now: now)
        wanted.announce(9, by: LinkID(3), isFresh: true, due: now, retry: .zero, now: now)
        #expect(wanted[3]?.holders.map(\.link) == [LinkID(2)])
        #expect(wanted[2] == nil && wanted[9] != nil && wanted.count == 4)
    }

    @Test("When a link ends, its ids are asked of the next holder, and those that only it had are gone")
    func ended() {
        var wanted = table()
        for shortID in 1...4 as ClosedRange<UInt64> { wanted.offer(shortID, by: LinkID(1), now: now) }
        for shortID in [2, 4] as [UInt64] { wanted.offer(shortID, by: LinkID(2), now: now) }
        for shortID in [1, 2] as [UInt64] {
            #expect(wanted.takeWaiting(.offered, of: LinkID(1)) == shortID)
            wanted.ask(LinkID(1), for: shortID, now: now, due: .distantFuture)
        }
        wanted.remove(LinkID(1), now: now)
        #expect(wanted.count == 2)
        #expect(Set(takeAll(2, &wanted)) == [2, 4])
    }

    @Test("A queue does not grow with what arrived, or was named again")
    func staleQueue() {
        var wanted = table()
        for shortID in 0..<10_000 as Range<UInt64> {
            wanted.offer(shortID, by: LinkID(1), now: now)
            wanted.settle(shortID)
        }
        #expect(wanted.waitingCount(.offered, of: LinkID(1)) <= 70)
        #expect(wanted.count == 0 && wanted.namedCount(.offered, by: LinkID(1)) == 0)
    }

    @Test("What could not be asked for waits on, and can be taken again")
    func putBack() {
        var wanted = table()
        for shortID in 1...3 as ClosedRange<UInt64> { wanted.offer(shortID, by: LinkID(1), now: now) }
        let taken = takeAll(1, &wanted)
        for shortID in taken { wanted.ask(LinkID(1), for: shortID, now: now, due: .distantFuture) }
        wanted.putBack(taken, to: LinkID(1))
        #expect(wanted.askedCount(.offered, of: LinkID(1)) == 0)
        #expect(takeAll(1, &wanted) == [1, 2, 3])
    }
}
