import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// Prints the messages that arrive.
struct ListenCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Print new messages until SIGINT or SIGTERM.",
        discussion: """
            Printed messages count as read. This command runs a node if none runs in the data directory. With --save \
            it saves each attachment into that folder as soon as it is complete, and asks for the attachments of \
            earlier group messages from before you joined; it overwrites nothing. It prints a message again when the \
            message is edited, deleted, voted on or reacted to.
            """
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var mesh: MeshArguments

    @OptionGroup var media: MediaArguments

    @Option(help: "Save new attachments into this folder.")
    var save: String?

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        if let client = try await home.directory.connect() {
            let outcome = await HomeAccess.outcome { try await listen(to: client, until: StopSignal(), console) }
            await client.close()
            return try outcome.get()
        }
        let running = try await RunningNode(try await open(home), in: home.directory)
        console.note("Listening; Ctrl-C ends.")
        let outcome = await HomeAccess.outcome {
            try await listen(to: LocalCaller(node: running.node), until: running.stopSignal, console)
        }
        await running.stop()
        try outcome.get()
    }

    private func open(_ home: HomeAccess) async throws -> ChatNode {
        try await home.open(mesh: try mesh.options()) { media.apply(to: &$0) }
    }

    private func listen(to caller: some RPCCaller, until stopSignal: StopSignal, _ console: Console) async throws {
        let events = try await caller.events([
            "message", "message.changed", "assistant.token", "progress", "file.failed", "trust", "storage",
            "history.tampered", "lagged",
        ])
        let isNodeGone = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                var names = FileNames()
                // The message of which a file has just arrived.
                var arrival: String?
                for await event in events {
                    if case .message(let message) = event {
                        names.add((message.files ?? []).map(\.name), of: message.id)
                    }
                    defer { arrival = event.completedMessage }
                    // The line about the file, or its copy, tells enough.
                    if case .changed(let message) = event, message.id == arrival, !console.isJSON { continue }
                    try await show(event, names, caller, console)
                }
                return true
            }
            group.addTask {
                await stopSignal.wait()
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        if isNodeGone { throw CommandFailure(.unavailable, "The node of this data directory has ended.") }
    }

    private func show(
        _ event: RPCEvent,
        _ names: FileNames,
        _ caller: some RPCCaller,
        _ console: Console
    ) async throws {
        switch event {
        case .message(let message) where !message.outgoing:
            console.endProgress()
            let place = console.isJSON ? nil : await self.place(of: message, caller)
            let lines = MessageText.lines(message, console, group: place?.title, kind: place?.kind ?? "group")
            try console.result(message, lines)
            // This is only a courtesy to the sender; a failure is no reason to stop listening.
            if !message.request { _ = try? await caller.call(MarkReadCall(conversation: message.conversation)) }
            if save != nil, message.vouchedBy != nil { await ask(for: message, caller, console) }
        case .changed(let message):
            console.endProgress()
            try console.result(message, MessageText.lines(message, console))
        case .progress(let message, let index, let byteCount, let total):
            let progress = FileProgress(message: message, index: index, byteCount: byteCount, total: total)
            guard byteCount == total else { return console.progress(progress.line(names[message, index])) }
            console.endProgress()
            try await saveFile(index, of: message, caller, console)
        case .token(_, _, _, let text): console.progress(DisplayText.end(of: text))
        case .fileFailed(let message, let index, let reason):
            console.endProgress()
            console.note("\(names[message, index]) will not arrive: \(reason).")
        case .trust(let trust):
            if let line = TrustText.line(trust) { console.note(line) }
        case .storage(let reason): console.note("The history cannot be written: \(DisplayText.safe(reason))")
        case .historyTampered:
            console.note("Something other than Earshot has changed the history. Run `earshot history check`.")
        case .lagged(let dropped):
            console.note("\(dropped) events were missed. `earshot history show` shows the messages.")
        default: break
        }
    }

    /// Returns the group or room that a message was written to; nil for a direct conversation.
    private func place(
        of message: MessageReply,
        _ caller: some RPCCaller
    ) async -> (title: String, kind: String)? {
        guard [UInt8](hex: message.conversation)?.count == GroupID.byteCount else { return nil }
        let rooms = try? await caller.call(RoomsCall())
        if let room = rooms?.first(where: { $0.id == message.conversation }) { return (room.title, "room") }
        let groups = try? await caller.call(GroupsCall())
        let title = groups?.first { $0.id == message.conversation }?.title
        return (title ?? String(message.conversation.prefix(8)), "group")
    }

    /// Requests the files of a message from before this member joined, which come only on request.
    private func ask(for message: MessageReply, _ caller: some RPCCaller, _ console: Console) async {
        for (index, file) in (message.files ?? []).enumerated() where !file.complete {
            do throws(RPCError) {
                _ = try await caller.call(FetchMediaCall(message: message.id, index: index))
            } catch {
                console.complain("An attachment cannot be fetched: \(error.message)")
            }
        }
    }

    private func saveFile(
        _ index: Int,
        of message: String,
        _ caller: some RPCCaller,
        _ console: Console
    ) async throws {
        guard let folder = save.map({ URL(filePath: $0).absoluteURL.path }) else { return }
        do throws(RPCError) {
            let copy = try await caller.call(MediaCall(message: message, index: index, folder: folder))
            console.note("Saved \(DisplayText.safe(copy.path)).")
        } catch {
            console.complain("An attachment could not be saved: \(error.message)")
        }
    }
}

extension RPCEvent {
    /// The message of which a file is complete with this event; nil for any other event.
    fileprivate var completedMessage: String? {
        guard case .progress(let message, _, let byteCount, let total) = self, byteCount == total else { return nil }
        return message
    }
}
