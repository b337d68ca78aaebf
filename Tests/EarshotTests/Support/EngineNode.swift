import ChatCrypto
import ChatHistory
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// One chat engine over a store in memory, stepped as `ChatNode` steps it, with no sockets and no clock.
final class EngineNode {
    let store = StubbornStore()
    let blobs = BlobFolder()
    /// The tags of pieces that the engine wants to have again.
    private(set) var recalled: [[UInt8]] = []
    /// Whether the engine wants what is sealed to be handed over again, and notes with it.
    private var recallsSealed = false
    private var recallsNotes = false
    private let seals: RecordSeals
    private var book: RecordBook
    private var steps: WriteBatch
    /// What was told, in order, over all restarts.
    private(set) var events: [ChatEvent] = []
    /// What is to be done about paths, in order, until it is taken.
    private var pathEffects: [ChatEffect] = []
    /// The large objects that were to be fetched, in order.
    private(set) var orders: [BlobOrder] = []
    /// The bodies of all envelopes that were submitted, each as often as it was.
    private(set) var submittedBodies: [[UInt8]] = []
    /// How pings ended.
    private(set) var endedPings: [UInt64: PingAnswer?] = [:]

    /// What the engine of a room told who keeps it, in order.
    private(set) var news: [RoomNews] = []

    /// - Parameter room: What makes it the engine of a room.
    init(_ name: String, room: RoomState? = nil, at time: ChatTime) throws {
        seals = RecordSeals(masterKey: MasterKey(), databaseID: store.databaseID)
        book = RecordBook(store: store, keys: seals)
        try book.takeOver(isMissing: false)
        let step = ChatStep(book: book, blobs: blobs, time: time)
        var engine = try ChatEngine(making: Nickname(name), seals.secrets, for: room, in: step)
        try engine.takeStep().apply(to: book, blobs)
        steps = WriteBatch(engine, book: book, blobs: blobs)
    }

    deinit {
        blobs.close()
    }

    var id: PeerID { engine.ownID }

    /// The engine as the store holds it.
    var engine: ChatEngine { steps.engine }

    /// Whether steps have been joined and not been made durable.
    var isOpen: Bool { steps.isOpen }

    /// Whether the joined steps are to be made durable before another one.
    var isFull: Bool { steps.isFull }

    /// One step that is not durable yet.
    func join<Value>(
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Value
    ) throws -> Value {
        try steps.step(at: time, body)
    }

    /// One step, durable together with those that were joined before; answers what is to be submitted.
    ///
    /// If the store refuses, nothing has happened.
    ///
    /// - Parameter crashes: The process ends right after the writes: what follows from the step is lost.
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
            case .tell(let event): events.append(event)
            case .submit(let kind, let body, let life):
                submittedBodies.append(body)
                submissions.append(Submission(kind, body, life))
            case .endPing(let number, let answer): endedPings[number] = .some(answer)
            case .openPath, .sendOnPath, .linkDirectly: pathEffects.append(effect)
            case .transfer(.fetch(let order)): orders.append(order)
            case .room(let news): self.news.append(news)
            case .transfer, .confirmed: break
            case .spread(let source):
                submissions += (0..<source.pieceCount).compactMap { index in
                    source.body(index, in: blobs).map { Submission(.chunk, $0, ChatLimits.pieceLife) }
                }
            case .recall(let tags): recalled += tags
            case .recallSealed(let withNotes):
                recallsSealed = true
                recallsNotes = recallsNotes || withNotes
            }
        }
        return submissions
    }

    /// Reads without changing anything.
    func look<Value>(at time: ChatTime, _ body: (ChatEngine) throws -> Value) throws -> Value {
        try steps.look(at: time, body)
    }

    /// Compares all rows with the sums over them, whatever was done so far.
    private func checkHistory() throws {
        try book.check()
        try #require(book.findings.isEmpty, "\(book.findings)")
    }

    /// Forgets everything in memory and takes up what the store holds.
    func restore(at time: ChatTime) throws {
        try checkHistory()
        try takeUp(at: time)
    }

    /// Forgets everything in memory and takes up an earlier copy of the store.
    func goBack(to copy: MemoryStore, at time: ChatTime) throws {
        store.goBack(to: copy)
        try takeUp(at: time)
    }

    private func takeUp(at time: ChatTime) throws {
        book = RecordBook(store: store, keys: seals)
        _ = try book.startWatching()
        try book.finishErasures()
        let step = ChatStep(book: book, blobs: blobs, time: time)
        let room = engine.room.map { RoomState(id: $0.id, end: $0.end) }
        guard var restored = try ChatEngine(restoring: seals.secrets, of: room, in: step) else {
            throw ChatError(.noIdentity, "The store holds no identity.")
        }
        if book.isUntouched { blobs.sweep(keeping: restored.attachments.objects.files) }
        try restored.takeStep().apply(to: book, blobs)
        steps = WriteBatch(restored, book: book, blobs: blobs)
    }

    /// The bytes of a record as stored.
    func stored(_ table: RecordTable, _ name: [UInt8]) throws -> [UInt8]? {
        try book.get(table, name: name)?.plaintext
    }

    /// All records of a table.
    func records(_ table: RecordTable) throws -> [Record] { try book.all(table) }

    /// Has a record say something else, lets another engine take the store up, and puts the record back.
    ///
    /// - Parameter body: Steps of that engine, none of which becomes durable.
    func whileSaying(
        _ plaintext: [UInt8],
        in record: Record,
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Void
    ) throws {
        try put(plaintext, in: record)
        do {
            let book = RecordBook(store: store, keys: seals)
            _ = try book.startWatching()
            try book.finishErasures()
            let step = ChatStep(book: book, blobs: blobs, time: time)
            if var engine = try ChatEngine(restoring: seals.secrets, of: nil, in: step) {
                try body(&engine)
            }
        } catch is StoreError {} catch is ChatError {} catch is CryptoError {}
        try put(record.plaintext, in: record)
    }

    /// The error of taking the store up while a record says something else; nil where there is none.
    func refusal(saying plaintext: [UInt8], in record: Record, at time: ChatTime) throws -> ChatError? {
        try put(plaintext, in: record)
        defer { try? put(record.plaintext, in: record) }
        let book = RecordBook(store: store, keys: seals)
        _ = try book.startWatching()
        do {
            _ = try ChatEngine(restoring: seals.secrets, in: ChatStep(book: book, blobs: blobs, time: time))
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
        try book.apply(batch)
    }

    /// What was to be done about paths since this was last asked.
    func takePathEffects() -> [ChatEffect] {
        defer { pathEffects = [] }
        return pathEffects
    }

    /// The tags recalled since this was last asked.
    func takeRecalled() -> [[UInt8]] {
        defer { recalled = [] }
        return recalled
    }

    /// Whether notes are to be handed over again with what is sealed; nil if nothing is, since this was last asked.
    func takeRecalledSealed() -> Bool? {
        defer { (recallsSealed, recallsNotes) = (false, false) }
        return recallsSealed ? recallsNotes : nil
    }

    /// Forgets the events told so far.
    func forgetEvents() { events = [] }
}

extension EngineNode {
    /// All messages with a peer, oldest first.
    func history(with peer: PeerID, at time: ChatTime) throws -> [Message] {
        try look(at: time) { try $0.history(of: .direct(peer)).page(limit: 1_000, before: nil) }
    }

    /// The texts that came from a peer, in the order shown.
    func textsReceived(from peer: PeerID, at time: ChatTime) throws -> [String] {
        try history(with: peer, at: time).filter { !$0.isOutgoing }.map(\.text)
    }

    /// The statuses of what was sent to a peer, in order.
    func statuses(to peer: PeerID, at time: ChatTime) throws -> [DeliveryStatus] {
        try history(with: peer, at: time).filter(\.isOutgoing).map(\.status)
    }

    /// Whether nothing is under way: in memory and in the store alike.
    var isAtRest: Bool {
        get throws {
            let tables: [RecordTable] = [.outbox, .owed, .held]
            return try engine.outbox.entries.isEmpty
                && tables.allSatisfy { try store.count($0, conversation: nil) == 0 }
        }
    }

    /// The incoming messages told, in order.
    var textsTold: [String] {
        events.compactMap { event in
            guard case .message(let message) = event, !message.isOutgoing, !message.isGroupLine else { return nil }
            return message.text
        }
    }

    /// The statuses told of each message, in order.
    var statusesTold: [MessageID: [DeliveryStatus]] {
        events.reduce(into: [:]) { told, event in
            if case .status(let id, let status) = event { told[id, default: []].append(status) }
        }
    }
}

/// An envelope that an engine wants to be spread.
struct Submission: Hashable {
    let kind: EnvelopeKind
    let body: [UInt8]
    let life: UInt16

    init(_ kind: EnvelopeKind, _ body: [UInt8], _ life: UInt16) {
        self.kind = kind
        self.body = body
        self.life = life
    }

    /// As a recipient gets it.
    var envelope: Envelope { Envelope(kind: kind, hops: 1, life: life, body: body) }

    /// As the mesh names it.
    var id: EnvelopeID? {
        EnvelopeID(bytes: EnvelopeName.bytes(kindByte: envelope.kindByte, body: body))
    }
}
