import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

@Suite("What waits for its message, its time, or a path")
struct ContentTableTests {
    @Test("Of more changes before their message than are kept, the oldest goes, of its own author first")
    func earlyLimits() {
        var pending = PendingChanges()
        func add(_ number: Int, by author: Int) -> Int {
            let operation = ChangeOperation(
                id: Numbered.message(number),
                author: Numbered.peer(author),
                target: Numbered.message(1_000_000 + number % 7),
                sentAt: 0,
                .delete
            )
            return pending.add(operation, [], in: .direct(Numbered.peer(author)), at: UInt64(number))
        }
        func deleted() -> [[UInt8]] { pending.takeChanges().filter { $0.record == nil }.map(\.name) }
        for number in 0..<ContentLimits.pendingChangeMemberCount { #expect(add(number, by: 0) == 0) }
        #expect(pending.takeChanges().count == ContentLimits.pendingChangeMemberCount)
        #expect(add(1_000, by: 0) == 1)
        #expect(deleted() == [Numbered.message(0).bytes])
        #expect(add(1_000, by: 0) == 0)
        #expect(pending.takeChanges().isEmpty)
        let others = ContentLimits.pendingChangeCount - ContentLimits.pendingChangeMemberCount
        for number in 0..<others { #expect(add(2_000 + number, by: 1 + number % 100) == 0) }
        #expect(pending.count == ContentLimits.pendingChangeCount)
        #expect(deleted() == [])
        #expect(add(9_000, by: 500) == 1)
        #expect(pending.count == ContentLimits.pendingChangeCount)
        #expect(deleted() == [Numbered.message(1).bytes])
        let expired = pending.expire(at: ContentLimits.pendingChangeAge + 4, limit: 1)
        #expect(expired == 1)
        #expect(deleted() == [Numbered.message(2).bytes])
        pending.forget(by: Numbered.peer(0))
        #expect(pending.count == others + 1)
    }

    @Test("Of more stored changes than are kept, the oldest go from the store too")
    func earlyLimitsOfStore() {
        var records: [ProtoEarlyRecord] = []
        for number in 0..<(ContentLimits.pendingChangeMemberCount + 3) {
            let content = MessageContent.change(
                of: Numbered.message(9_999),
                .delete,
                salt: [UInt8](repeating: 0, count: 16),
                at: ChatTime(wall: 1, monotonic: .zero)
            )
            var record = ProtoEarlyRecord()
            record.id = .init(Numbered.message(number).bytes)
            record.author = .init(Numbered.peer(0).bytes)
            record.content = .init(content)
            record.receivedAt = UInt64(number)
            records.append(record)
        }
        var pending = PendingChanges()
        pending.restore(records.reversed())
        #expect(pending.count == ContentLimits.pendingChangeMemberCount)
        let changes = pending.takeChanges()
        #expect(Set(changes.map(\.name)) == Set((0..<3).map { Numbered.message($0).bytes }))
        #expect(changes.allSatisfy { $0.record == nil })
    }

    @Test("Of more timers than are kept, the one whose time is over first makes room, in its own conversation")
    func timerLimit() {
        var timers = DisappearingMessages()
        let (one, other) = (ConversationID.direct(Numbered.peer(1)), ConversationID.direct(Numbered.peer(2)))
        func entry(_ number: Int, _ conversation: ConversationID, until end: UInt64?) -> DisappearingMessages.Entry {
            DisappearingMessages.Entry(
                id: Numbered.message(number),
                conversation: conversation,
                sequence: UInt64(number),
                seconds: 1,
                expiresAt: end
            )
        }
        let now = ChatTime(wall: 2, monotonic: .zero)
        timers.set(entry(0, other, until: 5), at: now)
        for number in 1..<ContentLimits.timerCount {
            #expect(timers.evicted(by: one) == nil)
            timers.set(entry(number, one, until: number.isMultiple(of: 2) ? UInt64(number) + 10 : nil), at: now)
        }
        #expect(timers.count == ContentLimits.timerCount)
        #expect(timers.evicted(by: one) == Numbered.message(2))
        #expect(timers.evicted(by: .direct(Numbered.peer(3))) == Numbered.message(0))
        #expect(timers.next == 5)
        #expect(timers.due(at: 14) == [Numbered.message(0), Numbered.message(2), Numbered.message(4)])
        #expect(timers.waiting(in: one, upTo: 4) == [Numbered.message(1), Numbered.message(3)])
        #expect(timers.nextDeadline == MeshInstant.zero.advanced(by: .milliseconds(3)))
        #expect(timers.takeChanges().count == ContentLimits.timerCount)
        timers.remove(Numbered.message(0))
        #expect(timers.next == 12)
        timers.start(Numbered.message(1), at: now)
        #expect(timers.end(of: Numbered.message(1)) == 1_002)
        let changes = timers.takeChanges()
        #expect(changes.map(\.name) == [Numbered.message(0).bytes, Numbered.message(1).bytes])
        #expect(changes.map { $0.record?.expiresAt } == [nil, 1_002])
    }

    @Test("Signs of typing are told once in a while, and only so many peers are remembered")
    func typing() {
        var signs = TypingIndicators()
        let peer = Numbered.peer(0)
        func receives(_ isTyping: Bool, from peer: PeerID, at now: MeshInstant) -> Bool {
            signs.receives(isTyping, from: peer, in: .direct(peer), at: now)
        }
        func waiting(at now: MeshInstant) -> ConversationID? { signs.takeWaiting(for: peer, at: now).first }
        let now = MeshInstant(nanoseconds: 1_000_000_000)
        #expect(receives(true, from: peer, at: now))
        #expect(!receives(true, from: peer, at: now.advanced(by: .milliseconds(1_999))))
        #expect(!receives(false, from: peer, at: now.advanced(by: .milliseconds(249))))
        #expect(receives(false, from: peer, at: now.advanced(by: .milliseconds(250))))
        #expect(receives(true, from: peer, at: now.advanced(by: .seconds(1))))
        for number in 1...ContentLimits.typingCount {
            #expect(receives(true, from: Numbered.peer(number), at: now.advanced(by: .seconds(1))))
        }
        // The typing indicator of this peer was the oldest, so the table has dropped it.
        #expect(receives(true, from: peer, at: now.advanced(by: .seconds(1))))
        signs.wait(for: peer, in: .direct(peer), at: now)
        #expect(waiting(at: now.advanced(by: .seconds(5))) == .direct(peer))
        #expect(waiting(at: now) == nil)
        signs.wait(for: peer, in: .direct(peer), at: now)
        #expect(waiting(at: now.advanced(by: ContentLimits.typingLife)) == nil)
    }

    @Test("Who is typing is shown until their message comes, or six seconds have passed without another sign")
    func typingPeers() {
        var signs = TypingIndicators()
        let (alice, bob) = (Numbered.peer(1), Numbered.peer(2))
        let (start, place) = (MeshInstant(nanoseconds: 1_000_000_000), ConversationID.direct(Numbered.peer(3)))
        func receives(_ isTyping: Bool, from peer: PeerID, after seconds: Int64) -> Bool {
            signs.receives(isTyping, from: peer, in: place, at: start.advanced(by: .seconds(seconds)))
        }
        #expect(signs.nextDeadline == .distantFuture)
        #expect(receives(true, from: alice, after: 0) && receives(true, from: bob, after: 2))
        #expect(signs.peers(in: place, at: start.advanced(by: .seconds(2))) == [alice, bob])
        #expect(signs.peers(in: .direct(alice), at: start.advanced(by: .seconds(2))) == [])
        #expect(signs.nextDeadline == start.advanced(by: ContentLimits.typingLife))
        let over = signs.expire(at: signs.nextDeadline)
        #expect(over.map(\.peer) == [alice] && over.map(\.conversation) == [place])
        #expect(signs.peers(in: place, at: start.advanced(by: .seconds(7))) == [bob])
        signs.end(of: bob, in: place)
        #expect(signs.peers(in: place, at: start.advanced(by: .seconds(7))) == [])
        #expect(signs.nextDeadline == .distantFuture)
        #expect(receives(true, from: bob, after: 7) && receives(false, from: bob, after: 8))
        #expect(signs.peers(in: place, at: start.advanced(by: .seconds(8))) == [])
    }
}
