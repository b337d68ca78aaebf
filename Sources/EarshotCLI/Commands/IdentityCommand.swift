import ArgumentParser
import ChatCrypto
import Earshot
import EarshotRPC
import Foundation

/// Backs up an identity, restores it, and shows its link.
struct IdentityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Back up your identity, restore it, or make a link by which others write to you from afar.",
        discussion: """
            A backup holds your keys and your nickname, but no contacts and no messages. It has a passphrase of its \
            own: --backup-passphrase-file, EARSHOT_BACKUP_PASSPHRASE, or asked. Do not use one identity in two data \
            directories at the same time.
            """,
        subcommands: [Link.self, BackUp.self, Restore.self],
        defaultSubcommand: Link.self
    )

    @OptionGroup var global: GlobalOptions
}

extension IdentityCommand {
    /// The source of a backup's passphrase.
    struct BackupPassphrase: ParsableArguments {
        @Option(
            help:
                "The file whose first line is the passphrase of the backup; else EARSHOT_BACKUP_PASSPHRASE, else asked."
        )
        var backupPassphraseFile: String?

        static let variable = "EARSHOT_BACKUP_PASSPHRASE"

        func read(isNew: Bool) throws -> String {
            if let file = backupPassphraseFile { return try Passphrase.read(file) }
            if let given = ProcessInfo.processInfo.environment[Self.variable], !given.isEmpty {
                return given
            }
            guard Passphrase.canAsk else {
                throw CommandFailure(
                    .usage,
                    "Give the passphrase of the backup by --backup-passphrase-file or \(Self.variable)."
                )
            }
            return try isNew ? Passphrase.askForNew() : Passphrase.ask("Passphrase of the backup")
        }
    }

    /// Writes a backup.
    struct BackUp: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Write your identity to a file, sealed under a passphrase."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var passphrase: BackupPassphrase
        @Argument(help: "The new file; an existing file is never overwritten.") var file: String

        func perform(_ console: Console) async throws {
            let secret = try passphrase.read(isNew: true)
            try await HomeAccess(global, console).withNode { caller in
                let backup = try await caller.call(BackUpIdentityCall(passphrase: secret)).backup
                try NewFile.write(backup, to: file)
                try console.result(
                    ["path": file],
                    ["Your identity is in \(file). Keep that file in a safe place."]
                )
            }
        }
    }

    /// Creates a home from a backup.
    struct Restore: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Create a data directory with the identity of a backup. The directory must be empty."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var passphrase: BackupPassphrase
        @Argument(help: "The file of `identity backup`.") var file: String
        @Flag(
            name: .customLong("no-passphrase"),
            help: "Protect the data directory by the file system only."
        )
        var withoutPassphrase = false

        func perform(_ console: Console) async throws {
            let backup = try Self.read(file)
            let secret = try passphrase.read(isNew: false)
            let homePassphrase = try InitCommand.passphrase(global, without: withoutPassphrase)
            let directory = HomeDirectory(global).url
            let home = Home.directory(directory, key: Home.Key(passphrase: homePassphrase))
            let node = try await ChatNode.restore(backup, passphrase: secret, in: home)
            let status = StatusReply(await node.status)
            await node.stop()
            let identity = IdentityOutput(
                id: status.id,
                name: status.name,
                fingerprint: status.fingerprint
            )
            try console.result(identity, identity.lines(console))
        }

        /// Reads the file, but no more of it than a backup can have.
        private static func read(_ file: String) throws -> [UInt8] {
            guard let handle = FileHandle(forReadingAtPath: file),
                let bytes = try? handle.read(upToCount: IdentityBackup.maximumByteCount + 1) ?? Data()
            else { throw CommandFailure(.badData, "\(file) cannot be read.") }
            guard bytes.count <= IdentityBackup.maximumByteCount else {
                throw CommandFailure(.badData, "\(file) is no backup of an identity: it is too long.")
            }
            return [UInt8](bytes)
        }
    }
}
