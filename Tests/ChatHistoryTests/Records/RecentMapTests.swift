import Testing

@testable import ChatHistory

@Suite("Recent map")
struct RecentMapTests {
    @Test("The entries used last are kept, and never more than twice the limit")
    func bounded() {
        var map = RecentMap<Int, Int>(limit: 4)
        for number in 0..<100 {
            map.set(number * 2, for: number)
        }
        var copy = map
        let kept = (0..<100).filter { copy.peek($0) != nil }
        #expect(kept == Array(92..<100))
        #expect((96..<100).allSatisfy { map.value(for: $0) == $0 * 2 })
    }

    @Test("An entry that is asked for stays")
    func refreshed() {
        var map = RecentMap<Int, Int>(limit: 4)
        map.set(-1, for: -1)
        for number in 0..<100 {
            map.set(number, for: number)
            #expect(map.value(for: -1) == -1)
        }
    }

    @Test("A value set again replaces the older one, and a removed one is gone")
    func replaced() {
        var map = RecentMap<Int, Int>(limit: 2)
        for number in 0..<3 {
            map.set(number, for: number)
        }
        map.set(10, for: 0)
        #expect(map.value(for: 0) == 10)
        map.remove(0)
        #expect(map.value(for: 0) == nil)
    }
}

extension RecentMap {
    /// Reads a value without counting the read as a use.
    fileprivate mutating func peek(_ key: Key) -> Value? {
        var copy = self
        return copy.value(for: key)
    }
}
