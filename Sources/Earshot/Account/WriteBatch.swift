package import ChatCore
package import ChatHistory

/// The engine, and the steps that have been taken and are not durable yet.
///
/// Steps join the open batch: each changes the engine in place and leaves its writes and effects in the engine's step, so
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
    /// The kept records.
    let book: RecordBook
    private let blobs: BlobFolder
    private var current: ChatEngine
    /// The engine before the first step of the open batch.
    ///
    /// It follows `current` as a batch ends, so that no key which that has given up stays in memory until the next.
    private var before: ChatEngine
    private var recent = RecentWrites()
    /// Whether steps wait for `commit`.
    package private(set) var isOpen = false
    /// The steps that wait for `commit`.
    package private(set) var stepCount = 0
    /// The messages that the last batch wrote or deleted.
    private(set) var touchedMessages: [RowName] = []
    /// The conversations that the last batch destroyed.
    private(set) var destroyedConversations: [ConversationID] = []

    /// Begins with an engine that the store holds.
    package init(_ engine: ChatEngine, book: RecordBook, blobs: BlobFolder) {
        current = engine
        before = engine
        self.book = book
        self.blobs = blobs
    }

    /// The engine as the store holds it: what may be shown.
    ///
    /// It is lent, for a copy would count up the references of all that the engine holds.
    package var engine: ChatEngine {
        _read {
            if isOpen { yield before } else { yield current }
        }
    }

    /// The paths as they are now, which nothing takes back.
    package var paths: Paths {
        get { current.paths }
        _modify { yield &current.paths }
    }

    /// Notes, until the next start, that a peer has begun to fetch what a message brings.
    package mutating func markOpened(_ message: MessageID) { current.outbox.markOpened(message) }

    /// Whether the steps that wait have changed anything that is to be durable, or that something follows from.
    package var hasChanges: Bool { isOpen && current.step.changeCount > 0 }

    /// Whether the open batch has become so large that it is to be committed before another step.
    package var isFull: Bool {
        guard isOpen else { return false }
        return stepCount >= ChatLimits.batchStepCount
            || current.step.writeCount >= ChatLimits.batchWriteCount
            || current.step.byteCount >= ChatLimits.batchByteCount
    }

    /// Reads the engine and the store as they were before the open batch.
    package func look<Value>(
        at time: ChatTime,
        _ body: (ChatEngine) throws -> Value
    ) throws(ChatError) -> Value {
        var engine = engine
        engine.step = ChatStep(book: book, blobs: blobs, time: time)
        do {
            return try body(engine)
        } catch {
            throw ChatError(error)
        }
    }

    /// Takes a step, which joins the open batch.
    ///
    /// - Throws: What the step refuses; or, if no batch is open afterwards, why all of its steps were taken back.
    package mutating func step<Value>(
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Value
    ) throws(ChatError) -> Value {
        if !isOpen { open(at: time) }
        current.step.begin(at: time)
        defer { current.attachments.objects.publish() }
        let changeCount = current.step.changeCount
        do {
            let value = try body(&current)
            current.takeEffects()
            stepCount += 1
            return value
        } catch {
            current.takeEffects()
            if !(error is ChatError) || current.step.changeCount != changeCount {
                takeBack()
            } else if stepCount == 0 {
                // Nothing was written, so that what is remembered of earlier writes is as it was.
                isOpen = false
                var step = current.takeStep()
                recent = step.takeRecent()
            }
            throw ChatError(error)
        }
    }

    /// Makes the open batch durable; answers what follows from its steps, in order.
    ///
    /// - Throws: What the store refuses; none of the steps has happened then.
    package mutating func commit() throws(ChatError) -> [ChatEffect] {
        guard isOpen else { return [] }
        var step = current.takeStep()
        do {
            try step.apply(to: book, blobs)
        } catch {
            takeBack()
            throw ChatError(error)
        }
        (isOpen, stepCount) = (false, 0)
        before = current
        touchedMessages = step.touchedMessages
        destroyedConversations = step.destroyed
        recent = step.takeRecent()
        return step.effects
    }

    private mutating func open(at time: ChatTime) {
        before = current
        isOpen = true
        current.step = ChatStep(book: book, blobs: blobs, time: time, recent: recent)
        // Moved, so that what is remembered is not copied.
        recent = RecentWrites()
    }

    private mutating func takeBack() {
        (isOpen, stepCount) = (false, 0)
        let paths = current.paths
        current = before
        current.paths = paths
        before = current
        current.attachments.objects.publish()
    }
}
