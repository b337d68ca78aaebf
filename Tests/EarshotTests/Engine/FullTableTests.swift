import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Each test compares a table with a list that is searched from end to end.
@Suite("Full tables")
struct FullTableTests {
    @Test("At the full table the oldest change makes room, that of its author first", arguments: [1, 2] as [UInt64])
    func pendingChanges(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (pending, untouched) = (PendingChanges(), PendingChanges())
        var expected: [(operation: ChangeOperation, receivedAt: UInt64)] = []
        func older(_ one: Int, _ other: Int) -> Bool {
            (expected[one].receivedAt, expected[one].operation.id)
                < (expected[other].receivedAt, expected[other].operation.id)
        }
        let names = (0..<ContentLimits.pendingChangeCount + 300).shuffled(using: &random)
        for (number, name) in names.enumerated() {
            let operation = ChangeOperation(
                id: Numbered.message(name),
                // The first author writes as much as one author may.
                author: Numbered.peer(number.isMultiple(of: 3) ? 0 : number % 10),
                target: Numbered.message(1 << 30 + number % 5),
                sentAt: 1,
                .delete
            )
            // Many operations came at the same time, and the clock was set back.
            let wall = UInt64(number / 50 + Int.random(in: 0..<4, using: &random))
            let own = expected.indices.filter { expected[$0].operation.author == operation.author }
            var oldest: Int?
            if own.count >= ContentLimits.pendingChangeMemberCount {
                oldest = own.min(by: older)
            } else if expected.count >= ContentLimits.pendingChangeCount {
                oldest = expected.indices.min(by: older)
            }
            let removed = oldest.map { expected.remove(at: $0).operation.id }
            expected.append((operation, wall))
            let content = Self.content(of: operation)
            let conversation = ConversationID.direct(operation.author)
            #expect(pending.add(operation, content, in: conversation, at: wall) == (removed == nil ? 0 : 1))
            #expect(pending.takeChanges().filter { $0.record == nil }.map(\.name) == [removed?.bytes].compactMap { $0 })
            _ = untouched.add(operation, content, in: conversation, at: wall)
        }
        #expect(pending.count == ContentLimits.pendingChangeCount)
        let target = Numbered.message(1 << 30)
        let taken = try untouched.take(for: target, in: NoRecords())
        #expect(taken.map(\.operation.id) == expected.map(\.operation).filter { $0.target == target }.map(\.id))
        let end = expected[ContentLimits.pendingChangeCount / 2].receivedAt
        let old = expected.indices.filter { expected[$0].receivedAt < end }.sorted(by: older).prefix(100)
        #expect(pending.expire(at: ContentLimits.pendingChangeAge + end, limit: 100) == old.count)
        let deleted = pending.takeChanges().map(\.name)
        #expect(Set(deleted) == Set(old.map { expected[$0].operation.id.bytes }))
    }

    private static func content(of operation: ChangeOperation) -> [UInt8] {
        let salt = [UInt8](repeating: 0, count: 16)
        return MessageContent.change(of: operation.target, .delete, salt: salt, at: ChatTime(wall: 1, monotonic: .zero))
    }

    @Test("At the full table the timer that ends first makes room, that of its conversation first")
    func timers() {
        var random = SplitMix64(seed: 1)
        var timers = DisappearingMessages()
        var expected: [DisappearingMessages.Entry] = []
        func earlier(_ one: DisappearingMessages.Entry, _ other: DisappearingMessages.Entry) -> Bool {
            (one.expiresAt ?? .max, one.sequence, one.id) < (other.expiresAt ?? .max, other.sequence, other.id)
        }
        func entry(_ number: Int) -> DisappearingMessages.Entry {
            DisappearingMessages.Entry(
                id: Numbered.message(number ^ 0x5A5A),
                conversation: .direct(Numbered.peer(number % 5)),
                sequence: UInt64(number / 2),
                seconds: 1,
                // Many messages end at the same time, and one in four was not read.
                expiresAt: number.isMultiple(of: 4) ? nil : UInt64.random(in: 50..<3_000, using: &random)
            )
        }
        let now = ChatTime(wall: 10, monotonic: .zero)
        for number in 0..<ContentLimits.timerCount {
            expected.append(entry(number))
            timers.set(expected[number], at: now)
        }
        for number in 0..<40 {
            // The sixth conversation has no disappearing-messages timer yet.
            let conversation = ConversationID.direct(Numbered.peer(number % 6))
            let own = expected.indices.filter { expected[$0].conversation == conversation }
            let first = (own.isEmpty ? Array(expected.indices) : own).min { earlier(expected[$0], expected[$1]) }
            let evicted = timers.evicted(by: conversation)
            #expect(evicted == first.map { expected[$0].id })
            first.map { _ = expected.remove(at: $0) }
            evicted.map { timers.remove($0) }
            expected.append(entry(ContentLimits.timerCount + number * 5))
            expected.last.map { timers.set($0, at: now) }
            #expect(timers.next == expected.compactMap(\.expiresAt).min())
        }
        #expect(timers.count == ContentLimits.timerCount)
        #expect(timers.due(at: 200) == expected.filter { $0.expiresAt ?? .max <= 200 }.sorted(by: earlier).map(\.id))
        let read = ConversationID.direct(Numbered.peer(2))
        let unread = expected.filter { $0.conversation == read && $0.expiresAt == nil && $0.sequence <= 900 }
        #expect(timers.waiting(in: read, upTo: 900) == unread.sorted(by: earlier).map(\.id))
        timers.removeAll(in: read)
        #expect(timers.count == expected.filter { $0.conversation != read }.count)
        #expect(timers.waiting(in: read, upTo: .max).isEmpty)
    }

    @Test("The full reorder buffer gives up the gap that is oldest, and keeps each peer's order")
    func reorderBuffer() throws {
        var random = SplitMix64(seed: 1)
        var buffer = ReorderBuffer()
        var expected: [(id: MessageID, peer: PeerID, order: UInt64, since: MeshInstant)] = []
        func hold(_ number: Int) {
            let (id, peer) = (Numbered.message(number), Numbered.peer(6 - number % 7))
            // Messages with the same order stay in the order in which they came.
            let order = UInt64.random(in: 0..<100, using: &random)
            let since = MeshInstant.zero.advanced(by: .milliseconds(number / 40))
            var record = ProtoMessageRecord()
            record.id = .init(id.bytes)
            buffer.hold(record, id, order: order, of: peer, at: since)
            let place = expected.firstIndex { $0.peer == peer && $0.order > order } ?? expected.endIndex
            expected.insert((id, peer, order, since), at: place)
        }
        func oldest() -> (since: MeshInstant, peer: PeerID)? {
            expected.map { ($0.since, $0.peer) }.min { $0 < $1 }
        }
        func giveUp(at now: MeshInstant) throws {
            let peer = try #require(buffer.overdue(at: now))
            #expect(peer == oldest()?.peer)
            let first = try #require(expected.firstIndex { $0.peer == peer })
            let removed = expected.remove(at: first).id
            #expect(try buffer.removeFirst(of: peer, in: NoRecords()).map { [UInt8]($0.id) } == removed.bytes)
            #expect(!buffer.holds(removed, of: peer))
            #expect(buffer.nextDeadline == oldest()?.since.advanced(by: ChatLimits.reorderTime) ?? .distantFuture)
        }
        let now = MeshInstant.zero.advanced(by: .seconds(1))
        for number in 0..<ChatLimits.heldCount { hold(number) }
        #expect(buffer.overdue(at: now) == nil)
        for number in ChatLimits.heldCount..<ChatLimits.heldCount + 100 {
            hold(number)
            try giveUp(at: now)
        }
        #expect(buffer.count == ChatLimits.heldCount && buffer.overdue(at: now) == nil)
        while !expected.isEmpty { try giveUp(at: now.advanced(by: ChatLimits.reorderTime)) }
        #expect(buffer.count == 0 && buffer.peers == [])
    }

    /// Returns the sender of a message.
    ///
    /// The first sender has sent half of the messages.
    private static func peer(_ number: Int) -> PeerID { Numbered.peer(number.isMultiple(of: 2) ? 0 : number % 64) }

    @Test("Receipts for many peers leave in the order in which their messages came, also after they had to wait")
    func receipts() throws {
        var random = SplitMix64(seed: 1)
        var receipts = PendingReceipts()
        var (queues, due): ([PeerID: [MessageID]], [PeerID: MeshInstant]) = ([:], [:])
        func keep(_ queue: [MessageID], for peer: PeerID, until instant: MeshInstant?) {
            (queues[peer], due[peer]) = queue.isEmpty ? (nil, nil) : (queue, instant)
        }
        var now = MeshInstant(nanoseconds: 1_000_000_000)
        for number in 0..<4_000 {
            let (id, peer) = (Numbered.message(number), Self.peer(number))
            now = now.advanced(by: .microseconds(1))
            receipts.add(id, nil, to: peer, in: .direct(peer), isAccepted: true, at: now)
            let queue = queues[peer, default: []] + [id]
            keep(queue, for: peer, until: due[peer] ?? now)
            guard number.isMultiple(of: 5) else { continue }
            // One message waits for its files.
            let suspended = Int.random(in: 0...number, using: &random)
            receipts.suspend(Numbered.message(suspended))
            let owner = Self.peer(suspended)
            keep(queues[owner, default: []].filter { $0 != Numbered.message(suspended) }, for: owner, until: due[owner])
        }
        for round in 0..<3 {
            let later = now.advanced(by: .seconds(1))
            #expect(receipts.nextDeadline == due.values.min())
            let recipients = receipts.dueRecipients(at: now)
            #expect(recipients.map(\.peer) == due.filter { $0.value <= now }.keys.sorted())
            for recipient in recipients {
                let (queue, peer) = (queues[recipient.peer, default: []], recipient.peer)
                if round == 0 {
                    receipts.release(recipient, at: later)
                    keep(queue, for: peer, until: later)
                } else {
                    let taken = receipts.take(for: recipient, at: now)
                    #expect(taken.receipt.delivered == Array(queue.prefix(ChatLimits.receiptCount)))
                    keep(Array(queue.dropFirst(ChatLimits.receiptCount)), for: peer, until: due[peer])
                }
            }
            now = later
        }
        #expect(receipts.nextDeadline == due.values.min())
    }
}
