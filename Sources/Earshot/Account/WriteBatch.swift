package import ChatCore
package import ChatHistory

/// The engine, and the steps that have been taken and are not durable yet.
///
/// Steps join the open batch: each changes the engine in place and leaves its writes and effects in one transaction, so
/// that later steps see what earlier ones wrote. `commit` makes them durable as one and only then gives their effects
/// out; if the store refuses, the engine is as it was before the first of them. One copy of the engine and one synced
/// write are thus paid for by a whole batch.
///
/// A step that refuses what it is asked, with a `ChatError`, must not have changed anything: the batch goes on without
/// it. Whatever else it throws, or after a change, takes the whole batch back, but for the paths: nothing of them is
/// stored, and what came or left by them has.
///
/// Invariant: while no batch is open, the engine is what the store holds.
package struct WriteBatch {
    private struct Batch {
        /// The engine before the first step.
        let before: ChatEngine
        var transaction: ChatTransaction
        var stepCount = 0
    }

    /// What is kept.
    let book: RecordBook
    private let blobs: BlobFolder
    private var current: ChatEngine
    private var recent = RecentWrites()
    private var batch: Batch?
    /// The messages that the last batch wrote or deleted.
    private(set) var touchedMessages: [RowName] = []
    /// The conversations that the last batch destroyed.
    private(set) var destroyedConversations: [ConversationID] = []

    /// Begins with an engine that the store holds.
    package init(_ engine: ChatEngine, book: RecordBook, blobs: BlobFolder) {
        current = engine
        self.book = book
        self.blobs = blobs
    }

    /// The engine as the store holds it: what may be shown.
    package var engine: ChatEngine { batch?.before ?? current }

    /// The paths as they are now, which nothing takes back.
    package var paths: PeerPaths {
        get { current.paths }
        _modify { yield &current.paths }
    }

    /// Notes, until the next start, that a peer has begun to fetch what a message brings.
    package mutating func markOpened(_ message: MessageID) { current.outbox.markOpened(message) }

    /// Whether steps wait for `commit`.
    package var isOpen: Bool { batch != nil }

    /// The steps that wait for `commit`.
    package var stepCount: Int { batch?.stepCount ?? 0 }

    /// Whether the steps that wait have changed anything that is to be durable, or that something follows from.
    package var hasChanges: Bool { batch.map { $0.transaction.changeCount > 0 } ?? false }

    /// Whether the open batch has become so large that it is to be committed before another step.
    package var isFull: Bool {
        guard let batch else { return false }
        return batch.stepCount >= ChatLimits.batchStepCount
            || batch.transaction.writeCount >= ChatLimits.batchWriteCount
            || batch.transaction.byteCount >= ChatLimits.batchByteCount
    }

    /// Reads the engine and the store as they were before the open batch.
    package func look<Value>(
        at time: ChatTime,
        _ body: (ChatEngine, ChatTransaction) throws -> Value
    ) throws(ChatError) -> Value {
        do {
            return try body(engine, ChatTransaction(book: book, blobs: blobs, time: time))
        } catch {
            throw ChatError(error)
        }
    }

    /// Takes a step, which joins the open batch.
    ///
    /// - Throws: What the step refuses; or, if no batch is open afterwards, why all of its steps were taken back.
    package mutating func step<Value>(
        at time: ChatTime,
        _ body: (inout ChatEngine, inout ChatTransaction) throws -> Value
    ) throws(ChatError) -> Value {
        // Taken out, so that the transaction is never shared and copied.
        var open = batch.take() ?? makeBatch(at: time)
        open.transaction.beginStep(at: time)
        defer { current.blobs.publish() }
        let changeCount = open.transaction.changeCount
        do {
            let value = try body(&current, &open.transaction)
            open.stepCount += 1
            batch = open
            return value
        } catch {
            if !(error is ChatError) || open.transaction.changeCount != changeCount {
                takeBack(open)
            } else if open.stepCount > 0 {
                batch = open
            }
            throw ChatError(error)
        }
    }

    /// Makes the open batch durable; answers what follows from its steps, in order.
    ///
    /// - Throws: What the store refuses; none of the steps has happened then.
    package mutating func commit() throws(ChatError) -> [ChatEffect] {
        guard var open = batch.take() else { return [] }
        do {
            try open.transaction.apply(to: book, blobs)
        } catch {
            takeBack(open)
            throw ChatError(error)
        }
        touchedMessages = open.transaction.touchedMessages
        destroyedConversations = open.transaction.destroyed
        recent = RecentWrites()
        recent = open.transaction.takeRecent()
        return open.transaction.effects
    }

    private func makeBatch(at time: ChatTime) -> Batch {
        let transaction = ChatTransaction(book: book, blobs: blobs, time: time, recent: recent)
        return Batch(before: current, transaction: transaction)
    }

    private mutating func takeBack(_ batch: Batch) {
        let paths = current.paths
        current = batch.before
        current.paths = paths
        current.blobs.publish()
    }
}
