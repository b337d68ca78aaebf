import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

/// Sets, changes or removes the passphrase of a home.
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Set, change or remove the passphrase of a home.",
        discussion: """
            The history is not written anew: only the key that it is sealed under gets another protection, and however \
            the machine stops, the home opens with the old passphrase or with the new one. The present passphrase comes \
            from --passphrase-file or EARSHOT_PASSPHRASE, the new one from --new-passphrase-file or \
            EARSHOT_NEW_PASSPHRASE; where nothing gives them they are asked for.
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
    struct Set: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Put a home without passphrase under one; its key file is destroyed."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var new: NewPassphrase

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: false)
            try await home.change(
                SetPassphraseCall(new: try new.read()),
                "The home has a passphrase from now on.",
                console
            )
        }
    }

    /// Changes the passphrase of a home.
    struct Change: FaceCommand {
        static let configuration = CommandConfiguration(commandName: "change", abstract: "Change the passphrase.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var new: NewPassphrase

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: true)
            let current = try Passphrase.present(global, of: home.directory)
            let call = ChangePassphraseCall(current: current, new: try new.read())
            try await home.change(call, "The passphrase is another from now on.", console)
        }
    }

    /// Removes the passphrase of a home.
    struct Remove: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Leave a home without passphrase, protected by nothing but the file system."
        )

        @OptionGroup var global: GlobalOptions

        func perform(_ console: Console) async throws {
            let home = HomeAccess(global, console)
            try home.checkPassphrase(isThere: true)
            let call = RemovePassphraseCall(current: try Passphrase.present(global, of: home.directory))
            try await home.change(call, "The home has no passphrase any more.", console)
            console.note("Warning: whoever reads the files of \(home.directory.url.path) reads everything.")
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
