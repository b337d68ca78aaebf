import ChatCore
import Foundation
import Logging
import MeshCore

extension Account {
    /// Returns the present time of both clocks.
    func now() -> ChatTime {
        let elapsed = made.duration(to: environment.now)
        return ChatTime(wall: environment.wall, monotonic: MeshInstant.zero.advanced(by: elapsed))
    }

    /// Returns the moment of the environment for one of the account's own clock.
    func moment(_ instant: MeshInstant) -> MeshInstant {
        made.advanced(by: MeshInstant.zero.duration(to: instant))
    }

    /// Throws if the account is closed.
    func checkOpen() throws(ChatError) {
        if let refusal { throw refusal }
    }

    /// Reads the durable state of the engine and the store.
    func read<Value: Sendable>(
        _ body: @Sendable (ChatEngine) throws -> Value
    ) throws(ChatError) -> Value {
        try checkOpen()
        defer { notifyTampering() }
        return try steps.read(at: now(), body)
    }

    /// Runs one step: all or nothing.
    ///
    /// The step is durable when this function returns, and before any effect of it is carried out.
    ///
    /// The step runs at once; other steps may run while this one waits for the disk.
    @discardableResult
    func transact<Value: Sendable>(
        _ body: @Sendable (inout ChatEngine) throws -> Value
    ) async throws(ChatError) -> Value {
        try checkOpen()
        let value: Value
        do {
            value = try steps.step(at: now(), body)
        } catch {
            if !steps.isOpen { endWaiting(error) }
            throw error
        }
        if let error = await commitment() { throw error }
        return value
    }

    /// Waits until the steps taken so far are durable; returns the error if they were rolled back.
    private func commitment() async -> ChatError? {
        guard steps.hasChanges, !steps.isFull else { return commit() }
        if !isCommitDue {
            isCommitDue = true
            commitSoon(stepCount: steps.stepCount)
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    /// Commits the batch once no more steps join it: callers that already wait for this actor run first.
    private func commitSoon(stepCount: Int) {
        Task {
            if steps.stepCount > stepCount {
                commitSoon(stepCount: steps.stepCount)
            } else {
                isCommitDue = false
                commit()
            }
        }
    }

    /// Commits the open batch, carries out its effects and resumes its callers.
    @discardableResult
    func commit() -> ChatError? {
        do {
            let effects = try steps.commit()
            // It leaves before anybody here hears of it, since others wait for it.
            let submitted = effects.compactMap(submission)
            if !submitted.isEmpty { submit(submitted) }
            followIdentity()
            followSearch(steps.touchedMessages, destroyed: steps.destroyedConversations)
            carryOut(effects)
            schedule()
            notifyTampering()
            endWaiting(nil)
            return nil
        } catch {
            endWaiting(error)
            return error
        }
    }

    private func endWaiting(_ error: ChatError?) {
        for continuation in waiting { continuation.resume(returning: error) }
        waiting = []
    }

    /// Carries out the effects that are not the mesh's.
    private func carryOut(_ effects: [ChatEffect]) {
        for effect in effects {
            switch effect {
            case .notify(let event): notify(event)
            case .confirmed(let group): endConfirming(group)
            case .endPing(let number, let answer): endPing(number, answer)
            case .transfer(let event): take(event)
            case .room(let event): relay?.yield(.transition(event))
            case .submit, .spread, .spreadFar, .recall, .fetchPieces, .endFetch, .recallSealed, .recallPrekeyMessages,
                .openPath,
                .sendOnPath, .linkDirectly:
                break
            }
        }
    }

    /// Returns the effect if the mesh carries it out.
    private func submission(_ effect: ChatEffect) -> ChatEffect? {
        switch effect {
        case .notify, .confirmed, .endPing, .transfer, .room: nil
        case .submit(let kind, let body, let life):
            // An envelope of a room expires no later than the room.
            .submit(kind: kind, body: body, life: steps.engine.room?.clamped(life, at: now().monotonic) ?? life)
        case .spread, .spreadFar, .recall, .fetchPieces, .endFetch, .recallSealed, .recallPrekeyMessages, .openPath,
            .sendOnPath, .linkDirectly:
            effect
        }
    }

    // MARK: - The timer

    private func schedule(after pause: Duration = .zero) {
        let now = now().monotonic
        let deadline = max(engine.nextDeadline, now.advanced(by: pause))
        guard isStarted, !isClosed, timer.map({ deadline < $0.deadline }) ?? true else { return }
        timer?.work.cancel()
        timer = (deadline, environment.schedule(at: moment(deadline)) { [weak self] in await self?.wake() })
    }

    private func wake() async {
        timer = nil
        guard !isClosed else { return }
        do {
            try await transact { engine in try engine.tick() }
        } catch {
            report(error)
            schedule(after: ChatLimits.storagePause)
        }
    }

    /// Reports that the store refuses to write.
    func report(_ error: ChatError) {
        // Work that the closing of the home interrupted has not failed: it continues when the home is open again.
        guard !isClosed else { return }
        configuration.logger.error("the store refuses to write", metadata: ["reason": "\(error.reason)"])
        notify(.storageFailing(reason: error.reason))
    }
}
