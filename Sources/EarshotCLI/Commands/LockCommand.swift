import ArgumentParser
import EarshotRPC

/// Locks the running node.
struct LockCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the running node until you run `unlock`.",
        discussion: """
            Keys, names and history leave the memory of the node, and it refuses every command but `status`, \
            `unlock` and `erase --everything`. It goes on relaying for others; it keeps your new messages sealed \
            until you unlock it. Ephemeral rooms end, and so do the page's tabs: open a new one by `web`. A data \
            directory without a running node needs no locking.
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        try await HomeAccess(global, console).withRunningNode { caller in
            try console.result(try await caller.call(LockCall()), ["The node is locked."])
        }
    }
}

/// Unlocks the running node.
struct UnlockCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the running node with the passphrase of its data directory."
    )

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        try await home.withRunningNode { caller in
            guard try await caller.call(StatusCall()).locked else {
                return try console.result(EmptyReply(), ["The node is not locked."])
            }
            let call = UnlockCall(passphrase: try Passphrase.present(global, of: home.directory))
            try console.result(try await caller.call(call), ["The node is unlocked."])
        }
    }
}
