package import ChatCore
package import ChatHistory

/// The engine, and the steps that were taken and are not durable yet.
///
/// Steps join the open batch. Each step changes the engine in place and leaves its writes and effects in the engine's
/// step, so that later steps read what earlier ones wrote. `commit` makes the whole batch durable and only then returns
/// its effects. If the store refuses, the engine returns to its state before the first step. A whole batch thus costs
/// one copy of the engine and one synced write. It is a class, since each look at a part of a structure in an actor would
/// copy the references of the whole.
///
/// A step that throws a `ChatError` must not have changed anything; the batch continues without it. Any other error, or
/// an error after a change, rolls the whole batch back, except for the paths: nothing of them is stored, and their
/// messages have already arrived or left.
///
/// Invariant: while no batch is open, the engine is what the store holds.
package final class WriteBatch {
    /// The stored records.
    let recordStore: RecordStore
    private let blobs: BlobFolder
    private var current: ChatEngine
    /// The engine before the first step of the open batch.
    ///
    /// It is set to `current` when a batch ends, so that no key that `current` has given up stays in memory until the
    /// next batch.
    private var before: ChatEngine
    private var recent = RecentWrites()
    /// Whether steps wait for `commit`.
    package private(set) var isOpen = false
    /// The number of steps that wait for `commit`.
    package private(set) var stepCount = 0
    /// The messages that the last batch wrote or deleted.
    private(set) var touchedMessages: [RowName] = []
    /// The conversations that the last batch destroyed.
    private(set) var destroyedConversations: [ConversationID] = []

    /// Begins with an engine that the store holds.
    package init(_ engine: ChatEngine, recordStore: RecordStore, blobs: BlobFolder) {
        current = engine
        before = engine
        self.recordStore = recordStore
        self.blobs = blobs
    }

    /// The engine as the store holds it: the state that may be shown.
    ///
    /// The accessor lends the engine, because a copy would increment the reference counts of all that it holds.
    package var engine: ChatEngine {
        _read {
            if isOpen { yield before } else { yield current }
        }
    }

    /// The present paths, which no rollback changes.
    package var paths: Paths {
        get { current.paths }
        _modify { yield &current.paths }
    }

    /// Notes, until the next start, that a peer has begun to fetch what a message brings.
    package func markOpened(_ message: MessageID) { current.outbox.markOpened(message) }

    /// Whether the waiting steps have writes or effects.
    package var hasChanges: Bool { isOpen && current.step.changeCount > 0 }

    /// Whether the open batch is so large that it has to be committed before another step.
    package var isFull: Bool {
        guard isOpen else { return false }
        return stepCount >= ChatLimits.batchStepCount
            || current.step.writeCount + current.outbox.reducedCount >= ChatLimits.batchWriteCount
            || current.step.byteCount >= ChatLimits.batchByteCount
    }

    /// Reads the engine and the store as they were before the open batch.
    package func read<Value>(
        at time: ChatTime,
        _ body: (ChatEngine) throws -> Value
    ) throws(ChatError) -> Value {
        var engine = engine
        engine.step = ChatStep(recordStore: recordStore, blobs: blobs, time: time)
        do {
            return try body(engine)
        } catch {
            throw ChatError(error)
        }
    }

    /// Takes a step, which joins the open batch.
    ///
    /// - Throws: The error of the step. If no batch is open afterwards, all steps of the batch were rolled back because
    ///   of it.
    package func step<Value>(
        at time: ChatTime,
        _ body: (inout ChatEngine) throws -> Value
    ) throws(ChatError) -> Value {
        if !isOpen { open(at: time) }
        current.step.begin(at: time)
        defer { current.attachments.blobs.publish() }
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
                // Nothing was written, so the memory of recent writes is unchanged.
                isOpen = false
                var step = current.takeStep()
                recent = step.takeRecent()
            }
            throw ChatError(error)
        }
    }

    /// Seals what its steps have left to seal, and makes the open batch durable; returns the effects, in order.
    ///
    /// - Throws: The store's error; then none of the steps has happened.
    package func commit() throws(ChatError) -> [ChatEffect] {
        guard isOpen else { return [] }
        var step: ChatStep
        do {
            try current.sealDue()
            step = current.takeStep()
            try step.apply(to: recordStore, blobs)
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

    private func open(at time: ChatTime) {
        before = current
        isOpen = true
        current.step = ChatStep(recordStore: recordStore, blobs: blobs, time: time, recent: recent)
        // This moves `recent`, so that it is not copied.
        recent = RecentWrites()
    }

    private func takeBack() {
        (isOpen, stepCount) = (false, 0)
        let paths = current.paths
        current = before
        current.paths = paths
        before = current
        current.attachments.blobs.publish()
    }
}
