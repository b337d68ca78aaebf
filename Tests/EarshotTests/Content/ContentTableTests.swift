import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("What waits for its message, its time, or a path")
struct ContentTableTests {
    @Test("Of more changes before their message than are kept, the oldest goes, of its own author first")
    func earlyLimits() {
        var early = EarlyChanges()
        func add(_ number: Int, by author: Int) -> [MessageID] {
            early.add(
                EarlyChanges.Entry(
                    id: Numbered.message(number),
                    target: Numbered.message(1_000_000 + number % 7),
                    author: Numbered.peer(author),
                    receivedAt: UInt64(number)
                )
            )
        }
        for number in 0..<ContentLimits.earlyMemberCount { #expect(add(number, by: 0) == []) }
        #expect(add(1_000, by: 0) == [Numbered.message(0)])
        #expect(add(1_000, by: 0) == [])
        let others = ContentLimits.earlyCount - ContentLimits.earlyMemberCount
        for number in 0..<others { #expect(add(2_000 + number, by: 1 + number % 100) == []) }
        #expect(early.count == ContentLimits.earlyCount)
        #expect(add(9_000, by: 500) == [Numbered.message(1)])
        #expect(early.count == ContentLimits.earlyCount)
        #expect(early.older(than: 3) == [Numbered.message(2)])
        let waiting = early.waiting(for: Numbered.message(1_000_002))
        #expect(waiting.first == Numbered.message(2))
        for id in waiting { early.remove(id) }
        #expect(early.waiting(for: Numbered.message(1_000_002)) == [])
        #expect(!early.contains(Numbered.message(2)))
    }

    @Test("Of more timers than are kept, the one whose time is over first makes room, in its own conversation")
    func timerLimit() {
        var timers = MessageTimers()
        let (one, other) = (ConversationID.direct(Numbered.peer(1)), ConversationID.direct(Numbered.peer(2)))
        func entry(_ number: Int, _ conversation: ConversationID, until end: UInt64?) -> MessageTimers.Entry {
            MessageTimers.Entry(
                id: Numbered.message(number),
                conversation: conversation,
                sequence: UInt64(number),
                seconds: 1,
                expiresAt: end
            )
        }
        timers.set(entry(0, other, until: 5))
        for number in 1..<ContentLimits.timerCount {
            #expect(timers.crowdedOut(by: one) == nil)
            timers.set(entry(number, one, until: number.isMultiple(of: 2) ? UInt64(number) + 10 : nil))
        }
        #expect(timers.count == ContentLimits.timerCount)
        #expect(timers.crowdedOut(by: one) == Numbered.message(2))
        #expect(timers.crowdedOut(by: .direct(Numbered.peer(3))) == Numbered.message(0))
        #expect(timers.next == 5)
        #expect(timers.due(at: 14) == [Numbered.message(0), Numbered.message(2), Numbered.message(4)])
        #expect(timers.waiting(in: one, upTo: 4).map(\.id) == [Numbered.message(1), Numbered.message(3)])
        timers.remove(Numbered.message(0))
        #expect(timers.next == 12)
    }

    @Test("Signs of typing are told once in a while, and only so many peers are remembered")
    func typing() {
        var signs = TypingSigns()
        let peer = Numbered.peer(0)
        func hears(_ isTyping: Bool, from peer: PeerID, at now: MeshInstant) -> Bool {
            signs.hears(isTyping, from: peer, in: .direct(peer), at: now)
        }
        func waiting(at now: MeshInstant) -> Bool? { signs.takeWaiting(for: peer, at: now).first?.isTyping }
        let now = MeshInstant(nanoseconds: 1_000_000_000)
        #expect(hears(true, from: peer, at: now))
        #expect(!hears(true, from: peer, at: now.advanced(by: .milliseconds(1_999))))
        #expect(!hears(false, from: peer, at: now.advanced(by: .milliseconds(249))))
        #expect(hears(false, from: peer, at: now.advanced(by: .milliseconds(250))))
        #expect(hears(true, from: peer, at: now.advanced(by: .seconds(1))))
        for number in 1...ContentLimits.typingCount {
            #expect(hears(true, from: Numbered.peer(number), at: now.advanced(by: .seconds(1))))
        }
        // Its sign was the oldest and is forgotten.
        #expect(hears(true, from: peer, at: now.advanced(by: .seconds(1))))
        signs.wait(true, for: peer, in: .direct(peer), at: now)
        #expect(waiting(at: now.advanced(by: .seconds(5))) == true)
        #expect(waiting(at: now) == nil)
        signs.wait(true, for: peer, in: .direct(peer), at: now)
        #expect(waiting(at: now.advanced(by: ContentLimits.typingLife)) == nil)
    }
}
