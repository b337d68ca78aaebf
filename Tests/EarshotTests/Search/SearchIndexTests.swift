import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("The index of the search")
struct SearchIndexTests {
    private let alice: PeerID
    private let bob: PeerID
    private let trees: RowID
    private let birds: RowID

    init() throws {
        alice = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        bob = try #require(PeerID(bytes: [UInt8](repeating: 2, count: 32)))
        trees = try #require(RowID(bytes: [UInt8](repeating: 3, count: 16)))
        birds = try #require(RowID(bytes: [UInt8](repeating: 4, count: 16)))
    }

    private func id(_ number: Int) throws -> MessageID {
        try #require(
            MessageID(
                bytes: [UInt8](repeating: 0, count: 12) + withUnsafeBytes(of: Int32(number).bigEndian, Array.init)
            )
        )
    }

    private func number(_ id: MessageID) -> Int { id.bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) } }

    private func entry(_ number: Int, _ text: String, in conversation: RowID? = nil) throws -> SearchEntry {
        SearchEntry(try id(number), text, in: conversation ?? trees, from: alice, time: UInt64(number))
    }

    private func numbers(_ index: SearchIndex, _ query: String, _ filter: SearchFilter = SearchFilter()) throws -> [Int]
    {
        index.matches(try SearchTerms(query), filter).map(number)
    }

    @Test("What fits the filter is found, newest first")
    func filters() throws {
        var index = SearchIndex(byteCountLimit: SearchLimits.roomByteCount)
        index.put(try entry(1, "an oak"))
        index.put(try entry(3, "an oak", in: birds))
        index.put(SearchEntry(try id(2), "an oak", in: trees, from: bob, kind: .poll, time: 2))
        #expect(try numbers(index, "oak") == [3, 2, 1])
        var filter = SearchFilter()
        filter.conversation = trees
        #expect(try numbers(index, "oak", filter) == [2, 1])
        filter.sender = alice
        #expect(try numbers(index, "oak", filter) == [1])
        filter = SearchFilter()
        filter.kind = .poll
        #expect(try numbers(index, "", filter) == [2])
        filter = SearchFilter()
        filter.times = 2..<3
        #expect(try numbers(index, "an", filter) == [2])
        #expect(try numbers(index, "oak an") == [3, 2, 1])
        #expect(try numbers(index, "oak ash") == [])
    }

    @Test("What was removed or put anew is found no more as it stood")
    func changes() throws {
        var index = SearchIndex(byteCountLimit: SearchLimits.roomByteCount)
        for number in 1...3 { index.put(try entry(number, "an oak")) }
        index.put(try entry(2, "an ash"))
        index.remove(try id(3))
        index.remove(try id(9))
        #expect(try numbers(index, "oak") == [1])
        #expect(try numbers(index, "an") == [2, 1])
        index.put(try entry(4, "an elm", in: birds))
        index.removeAll(of: trees)
        #expect(try numbers(index, "an") == [4])
        index.wipe()
        #expect(try numbers(index, "") == [] && index.count == 0 && index.byteCount == 0)
    }

    @Test("Beyond its limit the oldest goes, and is counted")
    func limit() throws {
        let limit = 3 * SearchLimits.segmentByteCount
        var index = SearchIndex(byteCountLimit: limit)
        let text = String(repeating: "oak ", count: 16 * 1_024)
        for number in 1...200 {
            index.put(try entry(number, text))
            #expect(index.byteCount <= limit)
        }
        #expect(index.isFull && index.droppedCount == 200 - index.count && index.count >= 16)
        #expect(try numbers(index, "oak") == Array((201 - index.count...200).reversed()))
    }

    @Test("Random changes leave what a plain list would", arguments: 1...4)
    func random(seed: Int) throws {
        var choices = SplitMix64(seed: UInt64(seed))
        var index = SearchIndex(byteCountLimit: 64 << 20)
        var texts: [Int: [String]] = [:]
        let words = ["oak", "ash", "elm", "oaken", "東京", "fox"]
        for _ in 0..<2_000 {
            let number = Int.random(in: 1...300, using: &choices)
            if Int.random(in: 0..<4, using: &choices) == 0 {
                index.remove(try id(number))
                texts[number] = nil
            } else {
                let text = (0..<4).map { _ in words[Int.random(in: 0..<words.count, using: &choices)] }
                index.put(try entry(number, text.joined(separator: " ")))
                texts[number] = text
            }
        }
        for word in words {
            let expected = texts.filter { $0.value.contains(word) }.keys.sorted(by: >)
            #expect(try numbers(index, word + " ") == expected)
        }
        let both = texts.filter { $0.value.contains("oak") && $0.value.contains("fox") }.keys.sorted(by: >)
        #expect(try numbers(index, "\"fox\" oak ") == both)
    }
}
