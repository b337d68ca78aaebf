package import Earshot
import Foundation

/// Writes the history into a file.
package struct ExportCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history.export"
    /// The names of its parameters.
    package static let parameters = ["path", "format", "conversation", "passphrase"]
    /// A long history takes a while.
    package static let waitsForPeer = true

    /// What was written.
    package struct Reply: Codable, Hashable, Sendable {
        /// Conversations.
        package let conversations: Int
        /// Messages.
        package let messages: Int
        /// Files of messages.
        package let files: Int
        /// Disappearing messages, which were left out.
        package let disappearing: Int
        /// Files that were not here.
        package let missingFiles: Int

        /// What an export told.
        package init(_ report: ExportReport) {
            conversations = report.conversationCount
            messages = report.messageCount
            files = report.fileCount
            disappearing = report.disappearingCount
            missingFiles = report.missingFileCount
        }
    }

    /// The file's path from the root; there must be none yet.
    package let path: String
    /// `jsonl`, the default, or `html`.
    package let format: String?
    /// The conversation; nil for all but rooms.
    package let conversation: String?
    /// What the file is sealed under; nil for a plain one.
    package let passphrase: String?

    /// Makes the call.
    package init(path: String, format: String?, conversation: String?, passphrase: String?) {
        self.path = path
        self.format = format
        self.conversation = conversation
        self.passphrase = passphrase
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        guard let format = ExportOptions.Format(rawValue: format ?? "jsonl") else {
            throw RPCError(.invalidParameters, "The parameter `format` is jsonl or html.")
        }
        let place = try Self.place(path)
        do {
            var options = ExportOptions(format, passphrase: passphrase)
            if let conversation { options.conversation = try await node.conversation(named: conversation) }
            return Reply(try await node.exportHistory(to: place, options))
        } catch {
            throw RPCError(error)
        }
    }

    /// A path from the root.
    static func place(_ path: String) throws(RPCError) -> URL {
        guard path.hasPrefix("/") else {
            throw RPCError(.invalidParameters, "The parameter `path` is a path that begins with /.")
        }
        return URL(filePath: path)
    }
}

/// Takes what an export holds into the history.
package struct ImportCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "history.import"
    /// The names of its parameters.
    package static let parameters = ["path", "passphrase"]
    /// A long history takes a while.
    package static let waitsForPeer = true

    /// What was taken.
    package struct Reply: Codable, Hashable, Sendable {
        /// A line that was left out.
        package struct Broken: Codable, Hashable, Sendable {
            /// Which, from 1.
            package let line: Int
            /// `tooLong`, `malformed`, `wrongID`, `disappearing`, `ownConversation` or `outOfPlace`.
            package let reason: String
        }

        /// Messages that were not here.
        package let added: Int
        /// Messages that were here already.
        package let known: Int
        /// Files that were not here.
        package let files: Int
        /// Contacts that were not known.
        package let contacts: Int
        /// The first 100 of these.
        package let newContacts: [ContactReply]
        /// Lines of kinds that only newer versions know.
        package let unknown: Int
        /// Lines that were left out.
        package let brokenCount: Int
        /// The first 100 of these.
        package let broken: [Broken]
    }

    /// The file's path from the root.
    package let path: String
    /// What the file is sealed under, if it is.
    package let passphrase: String?

    /// Makes the call.
    package init(path: String, passphrase: String?) {
        self.path = path
        self.passphrase = passphrase
    }

    /// Does it.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        let place = try ExportCall.place(path)
        do {
            let report = try await node.importHistory(from: place, passphrase: passphrase)
            return Reply(
                added: report.addedCount,
                known: report.knownCount,
                files: report.fileCount,
                contacts: report.contactCount,
                newContacts: report.contacts.map(ContactReply.init),
                unknown: report.unknownCount,
                brokenCount: report.brokenCount,
                broken: report.broken.map { Reply.Broken(line: $0.line, reason: $0.reason) }
            )
        } catch {
            throw RPCError(error)
        }
    }
}
