import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// One chat engine over a store in memory.
///
/// It runs steps as `ChatNode` does, with no sockets and no clock.
final class EngineNode {
    let store = StubbornStore()
    let blobs = BlobFolder()
    /// The tags of the fragments that the engine wants again.
    private(set) var recalled: [[UInt8]] = []
    /// The tags whose pieces are asked of the nodes that keep them.
    private(set) var fetched: [[UInt8]] = []
    /// Whether the engine wants sealed envelopes and control messages again.
    private var recallsSealed = false
    /// Whether the prekey messages that the mesh stores are to be delivered again.
    var recallsPrekeyMessages = false
    private var recallsControlMessages = false
    private let seals: RecordSeals
    private var recordStore: RecordStore
    private var steps: WriteBatch
    /// The events that the engine reported, in order, over all restarts.
    private(set) var events: [ChatEvent] = []
    /// The effects on paths, in order, until they are taken.
    private var pathEffects: [ChatEffect] = []
    /// The orders to fetch a large blob, in order.
    private(set) var orders: [BlobOrder] = []
    /// The bodies of all submitted envelopes.
    ///
    /// A body that was submitted several times is there several times.
    private(set) var submittedBodies: [[UInt8]] = []
    /// The results of pings.
    private(set) var endedPings: [UInt64: PingAnswer?] = [:]

    /// The events that the engine of a room reported to the room registry, in order.
    private(set) var transitions: [RoomTransition] = []

    /// - Parameter room: The state of a room; nil for the engine of a node's own identity.
    init(_ name: String, room: RoomState? = nil, at time: ChatTime) throws {
        seals = RecordSeals(masterKey: MasterKey(), databaseID: store.databaseID)
        recordStore = RecordStore(store: store, keys: seals)
        try recordStore.takeOver(isMissing: false)
        let step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        var engine = try ChatEngine(making: Nickname(name), seals.secrets, for: room, in: step)
        try engine.takeStep().apply(to: recordStore, blobs)
        steps = WriteBatch(engine, recordStore: recordStore, blobs: blobs)
    }

    deinit {
        blobs.close()
    }

    var id: PeerID { engine.ownID }

    /// The engine in the state that the store holds.
    var engine: ChatEngine { steps.engine }

    /// Whether some joined steps are not durable yet.
    var isOpen: Bool { steps.isOpen }

    /// Whether the joined steps have to become durable before the next step.
    var isFull: Bool { steps.isFull }

    /// Runs one step that is not durable yet.
    func join<Value>(
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Value
    ) throws -> Value {
        try steps.step(at: time, body)
    }

    /// Runs one step, which becomes durable together with those that were joined before.
    ///
    /// Returns the submissions.
    ///
    /// If the store refuses the write, nothing has happened.
    ///
    /// - Parameter crashes: Whether the process ends right after the writes. The effects of the step are then lost.
    @discardableResult
    func step(
        at time: ChatTime,
        crashes: Bool = false,
        _ body: (inout ChatEngine) throws -> Void
    ) throws -> [Submission] {
        try steps.step(at: time, body)
        let effects = try steps.commit()
        guard !crashes else { return [] }
        var submissions: [Submission] = []
        for effect in effects {
            switch effect {
            case .notify(let event): events.append(event)
            case .submit(let kind, let body, let life):
                submittedBodies.append(body)
                submissions.append(Submission(kind, body, life))
            case .endPing(let number, let answer): endedPings[number] = .some(answer)
            case .openPath, .sendOnPath, .linkDirectly: pathEffects.append(effect)
            case .transfer(.fetch(let order)): orders.append(order)
            case .room(let transitions): self.transitions.append(transitions)
            case .transfer, .confirmed: break
            case .spread(let source, _):
                submissions += (0..<source.fragmentCount).compactMap { index in
                    source.body(index, in: blobs).map { Submission(.chunk, $0, ChatLimits.fragmentLife) }
                }
            case .spreadFar(let source, let mailbox):
                submissions += (0..<source.fragmentCount).compactMap { index in
                    source.body(index, in: blobs).flatMap { MailboxMessage(piece: $0) }
                }.map { Submission(.farChunk, mailbox.seal($0), ChatLimits.sealedLife) }
            case .recall(let tags): recalled += tags
            case .fetchPieces(let tags): fetched += tags
            case .endFetch(let tag): fetched.removeAll { $0 == tag }
            case .recallPrekeyMessages: recallsPrekeyMessages = true
            case .recallSealed(let withControlMessages):
                recallsSealed = true
                recallsControlMessages = recallsControlMessages || withControlMessages
            }
        }
        return submissions
    }

    /// Reads without changing anything.
    func read<Value>(at time: ChatTime, _ body: (ChatEngine) throws -> Value) throws -> Value {
        try steps.read(at: time, body)
    }

    /// Compares all rows with their integrity digests.
    private func checkHistory() throws {
        try recordStore.check()
        try #require(recordStore.findings.isEmpty, "\(recordStore.findings)")
    }

    /// Forgets everything in memory and restores the state of the store.
    func restore(at time: ChatTime) throws {
        try checkHistory()
        try takeUp(at: time)
    }

    /// Forgets everything in memory and restores the state of an earlier copy of the store.
    func goBack(to copy: MemoryStore, at time: ChatTime) throws {
        store.goBack(to: copy)
        try takeUp(at: time)
    }

    private func takeUp(at time: ChatTime) throws {
        recordStore = RecordStore(store: store, keys: seals)
        _ = try recordStore.startWatching()
        try recordStore.finishErasures()
        let step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        let room = engine.room.map { RoomState(id: $0.id, end: $0.end) }
        guard var restored = try ChatEngine(restoring: seals.secrets, of: room, in: step) else {
            throw ChatError(.noIdentity, "The store holds no identity.")
        }
        if recordStore.isUntouched { blobs.sweep(keeping: restored.attachments.blobs.files) }
        try restored.takeStep().apply(to: recordStore, blobs)
        steps = WriteBatch(restored, recordStore: recordStore, blobs: blobs)
    }

    /// Returns the bytes of a record as stored.
    func stored(_ table: RecordTable, _ name: [UInt8]) throws -> [UInt8]? {
        try recordStore.get(table, name: name)?.plaintext
    }

    /// Returns all records of a table.
    func records(_ table: RecordTable) throws -> [Record] { try recordStore.all(table) }

    /// Replaces the content of a record, lets another engine restore the store, and puts the record back.
    ///
    /// - Parameter body: Steps of that engine. None of them becomes durable.
    func whileSaying(
        _ plaintext: [UInt8],
        in record: Record,
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Void
    ) throws {
        try put(plaintext, in: record)
        do {
            let recordStore = RecordStore(store: store, keys: seals)
            _ = try recordStore.startWatching()
            try recordStore.finishErasures()
            let step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
            if var engine = try ChatEngine(restoring: seals.secrets, of: nil, in: step) {
                try body(&engine)
            }
        } catch is StoreError {} catch is ChatError {} catch is CryptoError {}
        try put(record.plaintext, in: record)
    }

    /// Returns the error of a restore while a record has another content; nil if there is none.
    func refusal(saying plaintext: [UInt8], in record: Record, at time: ChatTime) throws -> ChatError? {
        try put(plaintext, in: record)
        defer { try? put(record.plaintext, in: record) }
        let recordStore = RecordStore(store: store, keys: seals)
        _ = try recordStore.startWatching()
        do {
            _ = try ChatEngine(
                restoring: seals.secrets,
                in: ChatStep(recordStore: recordStore, blobs: blobs, time: time)
            )
            return nil
        } catch let error as ChatError {
            return error
        }
    }

    private func put(_ plaintext: [UInt8], in record: Record) throws {
        var batch = RecordBatch()
        batch.put(
            record.table,
            id: record.id,
            conversation: record.conversation,
            sequence: record.sequence,
            plaintext: plaintext
        )
        try recordStore.apply(batch)
    }

    /// Returns the effects on paths since the last call.
    func takePathEffects() -> [ChatEffect] {
        defer { pathEffects = [] }
        return pathEffects
    }

    /// Returns the tags that were recalled since the last call.
    func takeRecalled() -> [[UInt8]] {
        defer { recalled = [] }
        return recalled
    }

    /// Returns whether control messages are wanted again together with the sealed envelopes; nil if nothing was
    /// recalled since the last call.
    func takeRecalledSealed() -> Bool? {
        defer { (recallsSealed, recallsControlMessages) = (false, false) }
        return recallsSealed ? recallsControlMessages : nil
    }

    /// Forgets the events so far.
    func forgetEvents() { events = [] }
}

extension EngineNode {
    /// Returns all messages with a peer, oldest first.
    func history(with peer: PeerID, at time: ChatTime) throws -> [Message] {
        try read(at: time) { try $0.history(of: .direct(peer)).page(limit: 1_000, before: nil) }
    }

    /// Returns the texts that came from a peer, in the order shown.
    func textsReceived(from peer: PeerID, at time: ChatTime) throws -> [String] {
        try history(with: peer, at: time).filter { !$0.isOutgoing }.map(\.text)
    }

    /// Returns the statuses of the messages to a peer, in order.
    func statuses(to peer: PeerID, at time: ChatTime) throws -> [DeliveryStatus] {
        try history(with: peer, at: time).filter(\.isOutgoing).map(\.status)
    }

    /// Whether nothing is under way, in memory and in the store.
    var isAtRest: Bool {
        get throws {
            let tables: [RecordTable] = [.outbox, .pendingReceipts, .reorderBuffer]
            return try engine.outbox.entries.isEmpty
                && tables.allSatisfy { try store.count($0, conversation: nil) == 0 }
        }
    }

    /// The texts of the incoming messages that events reported, in order.
    var textsTold: [String] {
        events.compactMap { event in
            guard case .message(let message) = event, !message.isOutgoing, !message.isGroupLine else { return nil }
            return message.text
        }
    }

    /// The statuses that events reported for each message, in order.
    var statusesTold: [MessageID: [DeliveryStatus]] {
        events.reduce(into: [:]) { told, event in
            if case .status(_, let id, let status) = event { told[id, default: []].append(status) }
        }
    }
}

/// An envelope that an engine submits to the mesh.
struct Submission: Hashable {
    let kind: EnvelopeKind
    let body: [UInt8]
    let life: UInt16

    init(_ kind: EnvelopeKind, _ body: [UInt8], _ life: UInt16) {
        self.kind = kind
        self.body = body
        self.life = life
    }

    /// The envelope that a recipient gets.
    var envelope: Envelope { Envelope(kind: kind, life: life, body: body) }

    /// The id that the mesh gives the envelope.
    var id: EnvelopeID? {
        EnvelopeID(bytes: EnvelopeName.bytes(kindByte: envelope.kindByte, body: body))
    }
}
