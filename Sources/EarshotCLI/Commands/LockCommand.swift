import ArgumentParser
import EarshotRPC

/// Locks the running node.
struct LockCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the running node until `unlock`.",
        discussion: """
            Keys, names and history leave its memory, and every command but `status`, `unlock` and `erase --everything` \
            is refused. It goes on to relay for others; what comes for you waits, sealed, and is taken when the node is \
            unlocked. Ephemeral rooms end, and so do the page's tabs: open another by `web`. A home that no node has open \
            needs no locking.
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
struct UnlockCommand: FaceCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the running node with the passphrase of its home."
    )

    @OptionGroup var global: GlobalOptions

    func perform(_ console: Console) async throws {
        let home = HomeAccess(global, console)
        try await home.withRunningNode { caller in
            let call = UnlockCall(passphrase: try Passphrase.present(global, of: home.directory))
            try console.result(try await caller.call(call), ["The node is unlocked."])
        }
    }
}
