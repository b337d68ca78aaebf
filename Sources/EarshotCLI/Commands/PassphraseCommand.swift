import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Sets, changes or removes the passphrase of a home.
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Set, change or remove the passphrase of a data directory.",
        discussion: """
            The history is not rewritten: only its key gets another protection. If the machine stops meanwhile, the \
            data directory opens with the old passphrase or with the new one. The present passphrase comes from \
            --passphrase-file or EARSHOT_PASSPHRASE, the new one from --new-passphrase-file or \
            EARSHOT_NEW_PASSPHRASE. Otherwise the command asks for them.
            """,
        subcommands: [Set.self, Change.self, Remove.self]
    )

    @OptionGroup var global: GlobalOptions
}

extension PassphraseCommand {
    /// The source of a new passphrase.
    struct NewPassphrase: ParsableArguments {
        @Option(help: "The file whose first line is the new passphrase; else EARSHOT_NEW_PASSPHRASE, else asked twice.")
        var newPassphraseFile: String?

        func read() throws -> String { try Passphrase.new(file: newPassphraseFile) }
    }

    /// Sets a passphrase for a home without one.
    struct Set: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set a passphrase. The key file is destroyed."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var new: NewPassphrase

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: false)
            try await home.change(
                SetPassphraseCall(new: try new.read()),
                "The passphrase is set.",
                console
            )
        }
    }

    /// Changes the passphrase of a home.
    struct Change: ConsoleCommand {
        static let configuration = CommandConfiguration(commandName: "change", abstract: "Change the passphrase.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var new: NewPassphrase

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: true)
            let current = try Passphrase.present(global, of: home.directory)
            let call = ChangePassphraseCall(current: current, new: try new.read())
            try await home.change(call, "The passphrase is changed.", console)
        }
    }

    /// Removes the passphrase of a home.
    struct Remove: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove the passphrase. Only the file system protects the data directory then."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: true)
            let call = RemovePassphraseCall(current: try Passphrase.present(global, of: home.directory))
            try await home.change(call, "The passphrase is removed.", console)
            console.note("Warning: anybody who can read the files of \(home.directory.url.path) can read everything.")
        }
    }
}

extension HomeAccess {
    /// Checks that the home has a passphrase, or that it has none, before anything is asked.
    ///
    /// - Throws: `hasPassphrase` or `noPassphrase`.
    fileprivate func checkPassphrase(isThere: Bool) throws {
        switch (HomeFacts(lookingAt: directory.url).key, isThere) {
        case (.passphrase, false):
            throw ChatError(.hasPassphrase, "\(directory.url.path) has a passphrase already: change or remove it.")
        case (.file, true):
            throw ChatError(.noPassphrase, "\(directory.url.path) has no passphrase: set one first.")
        default: break
        }
    }

    /// Changes the passphrase through the node of the home, or directly if none runs.
    fileprivate func change(_ method: some PassphraseCall, _ text: String, _ console: Console) async throws {
        if let client = try await directory.connect() {
            let outcome = await Self.outcome { try console.result(try await client.call(method), [text]) }
            await client.close()
            return try outcome.get()
        }
        try ChatNode.changeKey(from: method.change.old, to: method.change.new, at: directory.url)
        try console.result(PassphraseReply(method.change), [text])
    }
}
