import ChatCrypto
import MeshCore
import Testing

@testable import ChatCore

@Suite("The machines of delivery, each alone")
struct DeliveryMachineTests {
    private let peer = Numbered.peer(1)
    private let now = MeshInstant(nanoseconds: 1_000_000_000)
    private var conversation: ConversationID { .direct(peer) }

    @Test("A receipt waits for the files of its message, then leaves with its proof, and its record goes")
    func receiptOfFiles() throws {
        var receipts = PendingReceipts()
        let id = Numbered.message(1)
        let proof = DeliveryProof(bytes: [UInt8](repeating: 7, count: 16))
        receipts.add(id, proof, to: peer, in: conversation, isAccepted: true, at: now)
        #expect(receipts.nextDeadline == now)
        receipts.suspend(id)
        #expect(receipts.nextDeadline == .distantFuture)
        let record = try #require(receipts.takeChanges().first?.change.record)
        #expect([UInt8](record.preimage) == proof?.bytes)
        receipts.schedule(id, isAccepted: true, at: now)
        let recipient = try #require(receipts.dueRecipients(at: now).first)
        let due = receipts.take(for: recipient, at: now)
        #expect(due.receipt == .init(delivered: [id]) && due.deliveryProofs == [proof])
        #expect(receipts.dueRecipients(at: now).isEmpty)
        let changes = receipts.takeChanges()
        #expect(changes.count == 1 && changes[0].change.record == nil)
        #expect(receipts.recipient(of: id) == nil)
    }

    @Test("A receipt for an unknown peer leaves once the user accepts the peer")
    func receiptOfUnknown() {
        var receipts = PendingReceipts()
        receipts.add(Numbered.message(1), nil, to: peer, in: conversation, isAccepted: false, at: now)
        #expect(receipts.nextDeadline == .distantFuture)
        receipts.release(PendingReceipts.Recipient(peer: peer), at: now)
        #expect(receipts.nextDeadline == now)
        receipts.forget(peer)
        #expect(receipts.nextDeadline == .distantFuture)
        #expect(receipts.takeChanges().isEmpty)
    }

    @Test("A whole message is named in place of its contents, unless one of them waits for a file")
    func wholeMessage() {
        var receipts = PendingReceipts()
        let (ids, recipient) = ((1...3).map(Numbered.message), PendingReceipts.Recipient(peer: peer))
        let (first, second) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        for id in ids { receipts.add(id, nil, to: peer, in: conversation, isAccepted: true, at: now) }
        receipts.suspend(ids[1])
        receipts.join(ids, as: first, to: recipient, isAccepted: true, at: now)
        receipts.schedule(ids[1], isAccepted: true, at: now)
        receipts.join(Array(ids.prefix(2)), as: second, to: recipient, isAccepted: true, at: now)
        let receipt = receipts.take(for: recipient, at: now).receipt
        #expect(receipt.delivered == [ids[2]] && receipt.packs == [second])
        #expect(receipts.takeChanges().isEmpty)
    }

    @Test("A receipt rests for a moment after the one before, unless it confirms many contents")
    func prompt() {
        var receipts = PendingReceipts()
        let recipient = PendingReceipts.Recipient(peer: peer)
        func add(_ numbers: Range<Int>) {
            for number in numbers {
                receipts.add(Numbered.message(number), nil, to: peer, in: conversation, isAccepted: true, at: now)
            }
        }
        add(0..<1)
        #expect(receipts.take(for: recipient, at: now).receipt.delivered.count == 1)
        add(1..<ChatLimits.promptReceiptCount)
        #expect(receipts.nextDeadline == now.advanced(by: ChatLimits.receiptDelay))
        add(ChatLimits.promptReceiptCount..<ChatLimits.promptReceiptCount + 1)
        #expect(receipts.nextDeadline == now)
        _ = receipts.take(for: recipient, at: now)
        let ids = (100..<100 + ChatLimits.promptReceiptCount).map(Numbered.message)
        for id in ids.dropFirst() { receipts.add(id, nil, to: peer, in: conversation, isAccepted: true, at: now) }
        let hash = [UInt8](repeating: 1, count: 16)
        receipts.join(Array(ids.dropFirst()), as: hash, to: recipient, isAccepted: true, at: now)
        #expect(receipts.nextDeadline == now.advanced(by: ChatLimits.receiptDelay))
        receipts.add(ids[0], nil, to: peer, in: conversation, isAccepted: true, at: now)
        #expect(receipts.nextDeadline == now)
    }

    @Test("Messages come out of the reorder buffer in their order, and their records go with them")
    func order() throws {
        var buffer = ReorderBuffer()
        for number in [3, 2] {
            var record = ProtoMessageRecord()
            record.id = .init(Numbered.message(number).bytes)
            let order = UInt64(number)
            buffer.hold(record, Numbered.message(number), order: order, of: peer, at: now)
        }
        #expect(buffer.takeChanges().count == 2)
        #expect(try buffer.take(from: peer, expecting: 1, in: NoRecords()) == nil)
        buffer.hold(ProtoMessageRecord(), Numbered.message(1), order: 1, of: peer, at: now)
        #expect(try buffer.take(from: peer, expecting: 1, in: NoRecords()) == ProtoMessageRecord())
        // The records of the others belong in the store, which has lost them.
        #expect(try buffer.take(from: peer, expecting: 3, in: NoRecords()) == nil)
        #expect(buffer.count == 0)
        let changes = buffer.takeChanges()
        #expect(changes.count == 3 && changes.allSatisfy { $0.record == nil })
    }

    @Test("A content that is taken back leaves the store's log, though it was sealed in the same step")
    func erasure() throws {
        var outbox = Outbox()
        let id = Numbered.message(1)
        outbox.enqueue(id, [1, 2, 3], in: conversation, as: .message, at: 5)
        #expect(outbox.takeDuePeers() == [peer])
        let queue = try #require(outbox.queues(in: conversation).first)
        let pack = try outbox.nextPack(in: queue, byteCount: 100, in: NoRecords())
        #expect(pack.map(\.content) == [[1, 2, 3]])
        let envelope = SealedEnvelope(kind: .sealed, body: [UInt8](repeating: 9, count: 600))
        outbox.seal(pack, in: envelope, of: queue, at: 6)
        #expect(outbox.pack(of: envelope.id)?.contents == [id])
        try outbox.forgetContent(of: id, in: NoRecords())
        let changes = outbox.takeChanges()
        let change = try #require(changes.first?.change)
        #expect(changes.count == 1)
        guard case .erase(let record) = change else {
            Issue.record("\(change)")
            return
        }
        #expect(record.contents.map(\.content.count) == [0] && [UInt8](record.body) == envelope.body)
        outbox.remove(id)
        guard case .delete? = outbox.takeChanges().first?.change else {
            Issue.record("the record stays")
            return
        }
    }
}
