import ArgumentParser
import Earshot
import EarshotRPC
import Foundation

extension HistoryCommand {
    /// Writes the history into a file.
    struct Export: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export conversations, messages and attachments to one file, sealed under a passphrase.",
            discussion: """
                The passphrase of the export is the first line of --archive-passphrase-file, else \
                EARSHOT_ARCHIVE_PASSPHRASE, else asked. After a question, --plain and --format html write an export \
                that anybody with the file can read. Rooms and disappearing messages are left out. PROTOCOL.md, \
                section 11.1, describes the lines. --rescue saves all that still opens in a data directory that is \
                damaged or was tampered with, and writes nothing to that directory; `history import` takes the file \
                into a new data directory.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The new file; an existing file is never overwritten.")
        var file: String

        @Option(help: "Export only this conversation: WHO or group:TITLE.")
        var conversation: String?

        @Option(help: "jsonl for programs and `history import`, html for reading.")
        var format = "jsonl"

        @Flag(help: "Do not seal the file.")
        var plain = false

        @OptionGroup var confirmation: Confirmation

        @Option(help: "The file whose first line is the passphrase of the export.")
        var archivePassphraseFile: String?

        @Flag(help: "Save all that still opens in a damaged data directory, and report the rest.")
        var rescue = false

        func validate() throws {
            guard !rescue || conversation == nil else {
                throw ValidationError("--rescue saves everything: leave out --conversation.")
            }
            guard ["jsonl", "html"].contains(format) else { throw ValidationError("--format is jsonl or html.") }
            guard !plain || archivePassphraseFile == nil else {
                throw ValidationError("--plain needs no passphrase: leave out --archive-passphrase-file.")
            }
        }

        func perform(_ console: Console) async throws {
            let isPlain = plain || format == "html"
            if isPlain {
                let question = "Anybody who gets \(file) can read it. Write it?"
                try confirmation.ask(question, otherwise: "Nothing was written.")
            }
            let passphrase = isPlain ? nil : try ArchivePassphrase.forNew(archivePassphraseFile)
            let path = URL(filePath: file).standardizedFileURL.path
            if rescue { return try await save(to: URL(filePath: path), passphrase, console) }
            try await HomeAccess(global, console).withNode { caller in
                console.progress("writing \(file) …")
                defer { console.endProgress() }
                let reply = try await caller.call(
                    ExportCall(path: path, format: format, conversation: conversation, passphrase: passphrase)
                )
                try console.result(reply, Self.lines(reply))
            }
        }

        private func save(to place: URL, _ passphrase: String?, _ console: Console) async throws {
            console.progress("reading all that still opens …")
            defer { console.endProgress() }
            let rescue = try HomeAccess(global, console).rescue()
            let options = ExportOptions(ExportOptions.Format(rawValue: format) ?? .jsonl, passphrase: passphrase)
            let reply = RescueReply(rescue.report, try await rescue.export(to: place, options))
            try console.result(reply, Self.lines(reply.written) + reply.lines)
        }

        private static func lines(_ reply: ExportCall.Reply) -> [String] {
            var lines = [
                """
                Exported \(reply.messages) messages and \(reply.files) attachments of \(reply.conversations) \
                conversations.
                """
            ]
            if reply.disappearing > 0 { lines.append("\(reply.disappearing) disappearing messages were left out.") }
            if reply.missingFiles > 0 {
                lines.append("\(reply.missingFiles) attachments were left out: they are not on this node.")
            }
            return lines
        }
    }

    /// Imports the history from a file.
    struct Import: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import a file of `history export`, of this identity or another.",
            discussion: """
                Messages and contacts that are here already stay as they are. Imported messages are marked as \
                imported; imported contacts are unverified. Invalid lines are listed by their numbers and left out.
                """
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The file of `history export`.")
        var file: String

        @Option(help: "The file whose first line is the passphrase of the export.")
        var archivePassphraseFile: String?

        func perform(_ console: Console) async throws {
            let path = URL(filePath: file).standardizedFileURL.path
            let passphrase = try ArchivePassphrase.given(archivePassphraseFile, for: path)
            try await HomeAccess(global, console).withNode { caller in
                console.progress("reading \(file) …")
                defer { console.endProgress() }
                let reply = try await caller.call(ImportCall(path: path, passphrase: passphrase))
                try console.result(reply, Self.lines(reply))
                guard reply.brokenCount == 0 else { throw ExitCode(ExitStatus.badData.rawValue) }
            }
        }

        private static func lines(_ reply: ImportCall.Reply) -> [String] {
            var lines = [
                "\(reply.added) messages, \(reply.files) attachments and \(reply.contacts) contacts are new; "
                    + "\(reply.known) messages were here already."
            ]
            lines += reply.newContacts.map { contact in
                "Added \(DisplayText.safe(contact.name)), \(TrustText.word(contact.trust)), fingerprint \(contact.fingerprint)"
            }
            if reply.contacts > reply.newContacts.count {
                lines.append("\(reply.contacts - reply.newContacts.count) more; `earshot peers` lists them.")
            }
            if reply.unknown > 0 { lines.append("\(reply.unknown) lines need a newer version.") }
            lines += reply.broken.map { "Line \($0.line) was left out: \(words[$0.reason] ?? $0.reason)." }
            let more = reply.brokenCount - reply.broken.count
            if more > 0 { lines.append("\(more) more lines were left out.") }
            return lines
        }

        private static let words = [
            "tooLong": "it is too long", "malformed": "it is not in the format of an export",
            "wrongID": "its content was changed", "disappearing": "it is a disappearing message",
            "ownConversation": "it is another person's view of a conversation with you",
            "outOfPlace": "it belongs to no message or conversation before it",
        ]
    }
}

/// The passphrase of a file that is exported or imported: never an argument.
private enum ArchivePassphrase {
    static let variable = "EARSHOT_ARCHIVE_PASSPHRASE"

    /// Returns the passphrase for a new file.
    static func forNew(_ file: String?) throws -> String {
        if let known = try known(file) { return known }
        guard Passphrase.canAsk else {
            throw CommandFailure(
                .refused,
                "The file needs a passphrase: give it by --archive-passphrase-file or \(variable), or say --plain."
            )
        }
        return try Passphrase.askForNew()
    }

    /// Returns the passphrase of an existing file; nil if it needs none.
    static func given(_ file: String?, for path: String) throws -> String? {
        if let known = try known(file) { return known }
        guard Passphrase.canAsk, let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        let start = try? handle.read(upToCount: 8)
        return start == Data("EARSHOTX".utf8) ? try Passphrase.ask("Passphrase of \(path)") : nil
    }

    private static func known(_ file: String?) throws -> String? {
        if let file { return try Passphrase.read(file) }
        return ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
