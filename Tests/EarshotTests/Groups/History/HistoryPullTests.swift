import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("Asking for what was said before")
struct HistoryPullTests {
    private static let members = (1...3).map(Numbered.peer)

    private static func time(_ seconds: UInt64) -> ChatTime {
        ChatTime(wall: 1_000_000 + seconds * 1_000, monotonic: MeshInstant(nanoseconds: seconds * 1_000_000_000))
    }

    private static func begun() -> HistoryPull { HistoryPull(joinEpoch: 5, since: 1_000_000, above: 0) }

    private static func page(_ from: HistoryCursor?, _ next: HistoryCursor? = nil) -> HistoryPage {
        HistoryPage(from: from, next: next, records: [])
    }

    /// Asks up to `times` times.
    ///
    /// Returns the members that were asked, each with the cursor from which the page is to begin.
    private static func asked(
        _ pull: inout HistoryPull,
        _ members: [PeerID] = members,
        times: Int = 1,
        at seconds: UInt64 = 0
    ) -> [(member: PeerID, cursor: HistoryCursor)] {
        (0..<times).compactMap { _ in
            pull.next(among: members, at: time(seconds)).map { (member: $0.0, cursor: $0.1) }
        }
    }

    /// Whether the pull accepts a page.
    private static func hears(
        _ pull: inout HistoryPull,
        _ page: HistoryPage,
        _ byteCount: Int = 0,
        from member: Int = 0,
        at seconds: UInt64 = 0
    ) -> Bool {
        pull.take(page, byteCount: byteCount, from: members[member], at: time(seconds).monotonic)
    }

    @Test("Who came first is asked first, and from where it was when it is asked again")
    func order() {
        var pull = Self.begun()
        let first = Self.asked(&pull)
        #expect(first.map(\.member) == [Self.members[0]] && first.map(\.cursor) == [.newest])
        let further = HistoryCursor(place: 90, part: 0)
        let isHeard = Self.hears(&pull, Self.page(.newest, further), 10, at: 1)
        #expect(isHeard && pull.askAt == Self.time(1).monotonic)
        let asked = Self.asked(&pull, times: 8)
        // Two requests for each member, by turns.
        #expect(asked.map(\.member) == [0, 0, 1, 1, 2, 2, 0, 0].map { Self.members[$0] })
        #expect(asked.map(\.cursor) == [0, 0, 1, 1, 1, 1, 0, 0].map { $0 == 0 ? further : .newest })
    }

    @Test("The pauses double up to ten minutes, and begin anew with an answer")
    func pauses() {
        var pull = Self.begun()
        let only = [Self.members[0]]
        var pauses: [Duration] = []
        for _ in 0..<8 {
            _ = Self.asked(&pull, only)
            pauses.append(MeshInstant.zero.duration(to: pull.askAt))
        }
        #expect(pauses == [15, 30, 60, 120, 240, 480, 600, 600].map { .seconds($0) })
        let isHeard = Self.hears(&pull, Self.page(.newest, HistoryCursor(place: 1, part: 1)), at: 9)
        #expect(isHeard && pull.askAt == Self.time(9).monotonic)
        _ = Self.asked(&pull, only, at: 9)
        #expect(pull.askAt == Self.time(24).monotonic)
    }

    @Test("It is over when nobody is left who came before one that has told all")
    func end() {
        var pull = Self.begun()
        _ = Self.asked(&pull, times: 3)
        #expect(pull.attester == Self.members[1])
        let discovered = [Self.hears(&pull, Self.page(.newest), from: 1)]
        let next = Self.asked(&pull).map(\.member)
        #expect(discovered == [true] && next == [Self.members[0]])
        _ = Self.hears(&pull, Self.page(.newest), from: 0)
        let last = Self.asked(&pull).count
        #expect(last == 0 && pull.isOver && pull.askAt == .distantFuture)
        var (alone, late) = (Self.begun(), Self.begun())
        let nobody = alone.next(among: [], at: Self.time(0)) == nil
        #expect(nobody && alone.isOver)
        let end = ChatTime(wall: 1_000_000 + EarlierMessageLimits.age, monotonic: .zero)
        let tooLate = late.next(among: Self.members, at: end) == nil
        #expect(tooLate && late.isOver)
    }

    @Test("Who goes back on itself is asked no more, and only who was asked is heard")
    func rules() {
        var pull = Self.begun()
        _ = Self.asked(&pull)
        // The pull accepts a page for another question. The page does not move the cursor.
        let elsewhere = Self.page(HistoryCursor(place: 7, part: 0), HistoryCursor(place: 6, part: 0))
        let discovered = [
            Self.hears(&pull, Self.page(nil), from: 1), Self.hears(&pull, elsewhere),
            pull.asked[Self.members[0]]?.cursor == .newest, Self.hears(&pull, Self.page(.newest, .newest)),
            Self.hears(&pull, Self.page(nil)),
        ]
        #expect(discovered == [false, true, true, false, false])
        let next = Self.asked(&pull).map(\.member)
        #expect(next == [Self.members[1]])
        pull.forget(Self.members[1], at: .zero)
        let last = Self.asked(&pull, [Self.members[0], Self.members[2]]).map(\.member)
        #expect(last == [Self.members[2]])
        #expect(HistoryCursor(place: 5, part: 2).isBeyond(HistoryCursor(place: 5, part: 1)))
        #expect(!HistoryCursor(place: 6, part: 9).isBeyond(HistoryCursor(place: 5, part: 1)))
    }

    @Test("No more than so many pages and bytes are taken, however they come")
    func limits() {
        var (pages, bytes) = (Self.begun(), Self.begun())
        _ = Self.asked(&pages)
        _ = Self.asked(&bytes)
        var discovered = 0
        for _ in 0..<(EarlierMessageLimits.pageCount + 5) where Self.hears(&pages, Self.page(nil), 1) {
            discovered += 1
        }
        #expect(discovered == EarlierMessageLimits.pageCount && pages.isOver)
        let full = Self.hears(&bytes, Self.page(nil), EarlierMessageLimits.pullByteCount)
        let more = Self.hears(&bytes, Self.page(nil), 1)
        #expect(full && !more && bytes.isOver)
    }

    @Test("Places go down to what was there before, and no further")
    func places() {
        var pull = HistoryPull(joinEpoch: 1, since: 0, above: 70)
        #expect(pull.ceiling == 70 + EarlierMessageLimits.placeCount)
        let places = [pull.takePlace(), pull.takePlace()]
        #expect(places == [pull.ceiling, pull.ceiling - 1])
        var full = HistoryPull(joinEpoch: 1, since: 0, above: .max - 5)
        let none = full.takePlace()
        #expect(none == nil)
    }
}
