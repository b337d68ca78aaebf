import EarshotRPC

/// The fetch of one file of a message that is neither here nor on its way.
struct MediaFetch: Sendable {
    let message: String
    /// The index of the file in the message, from 0.
    let index: Int
    let caller: any RPCCaller
    /// The function that shows the progress of the file.
    var show: @Sendable (FileProgress) -> Void = { _ in }

    /// Requests the file and waits until all of it is here, or until nothing of it has arrived for the time limit.
    ///
    /// - Throws: The refusal of the node; `unavailable` if no peer has the file, `notInTime` if none sent it in time.
    func run(within limit: Duration) async throws {
        let events = try await caller.events(["progress", "file.failed"])
        _ = try await caller.call(FetchMediaCall(message: message, index: index))
        let moves = Moves()
        let isHere = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await follow(events, moves)
                return true
            }
            group.addTask {
                var count: Int
                repeat {
                    count = await moves.count
                    try? await Task.sleep(for: limit)
                } while await moves.count != count
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard isHere else {
            throw CommandFailure(
                .notInTime,
                "No peer within reach has this attachment. It arrives when a peer has it, within seven days."
            )
        }
    }

    private func follow(_ events: AsyncStream<RPCEvent>, _ moves: Moves) async throws {
        for await event in events {
            switch event {
            case .progress(let id, let place, let byteCount, let total) where id == message && place == index:
                await moves.add()
                show(FileProgress(message: message, index: index, byteCount: byteCount, total: total))
                if byteCount == total { return }
            case .fileFailed(let id, let place, let reason) where id == message && place == index:
                throw Self.failure(reason)
            default: break
            }
        }
        throw CommandFailure(.unavailable, "The node of this data directory has ended.")
    }

    private static func failure(_ reason: String) -> CommandFailure {
        switch reason {
        case "gone": CommandFailure(.unavailable, "No peer has this attachment any more.")
        default: CommandFailure(.notInTime, "This attachment will not arrive: \(reason).")
        }
    }
}

/// A counter of the parts that arrived.
private actor Moves {
    private(set) var count = 0

    func add() { count += 1 }
}
