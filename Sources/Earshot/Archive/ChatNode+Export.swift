import ChatCrypto
import ChatHistory
public import Foundation

/// What an export begins with.
struct ExportFrame: Sendable {
    /// A conversation that is written.
    struct Conversation: Sendable {
        let id: ConversationID
        let line: ArchiveLine.Conversation
    }

    let id: PeerID
    let name: String
    let contacts: [ArchiveLine.Contact]
    let conversations: [Conversation]
}

/// A message that is written.
struct ExportMessage: Sendable {
    let message: Message
    let record: [UInt8]
    /// Its files that are here, by their numbers.
    let files: [(index: Int, file: SealedFile)]
}

/// Some messages of a conversation, oldest first.
struct ExportPage: Sendable {
    var messages: [ExportMessage] = []
    var disappearingCount = 0
}

extension ChatNode {
    /// Writes the history into a file: who is known, all conversations but those of rooms, their messages and files.
    ///
    /// Messages that are to disappear are left out, and what is in a room goes with it. The file gets its name when it is
    /// whole, may be read by its owner alone, and takes the place of no other.
    ///
    /// - Parameters:
    ///   - place: The file.
    ///   - options: What is written, and what it is sealed under.
    /// - Returns: How much was written.
    /// - Throws: `fileUnusable`, `notFound` for an unknown conversation or a room, `stopped`, or what the store refuses.
    @discardableResult
    public func exportHistory(
        to place: URL,
        _ options: ExportOptions = ExportOptions()
    ) async throws(ChatError) -> ExportReport {
        try checkRunning()
        return try await HistoryExport(node: self, blobs: blobs, options: options).write(to: place)
    }

    /// What an export of a conversation, or of all, begins with.
    func exportFrame(_ chosen: ConversationID?) throws(ChatError) -> ExportFrame {
        if case .group(let group) = chosen, shelf.number(of: group) != nil {
            throw ChatError(.notFound, "That is a room: nothing of it is left when it is over, so it is not exported.")
        }
        return try look { engine, transaction in
            var conversations = try engine.conversationList(in: transaction)
            // What strangers wrote is not taken in before the user accepts them.
            conversations.removeAll { $0.isRequest || $0.id != chosen ?? $0.id }
            guard chosen == nil || !conversations.isEmpty else {
                throw ChatError(.notFound, "There is no such conversation.")
            }
            let peers = Set(conversations.flatMap(\.members))
            let contacts = engine.trust.all.filter { known in
                known.state != .unknown && (chosen == nil || peers.contains(known.identity.id))
            }
            return ExportFrame(
                id: engine.ownID,
                name: engine.nickname,
                contacts: contacts.map(ArchiveLine.Contact.init),
                conversations: try conversations.map { try engine.exported($0, in: transaction) }
            )
        }
    }

    /// Where the page before one ends; nil if there is none.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> UInt64? {
        try look { _, transaction in
            let row = transaction.rowID(of: conversation)
            let page = try transaction.placedPage(of: row, before: place, limit: ArchiveLimits.pageCount)
            return page.count == ArchiveLimits.pageCount ? page.last?.place : nil
        }
    }

    /// A page of a conversation as it is exported.
    func exportPage(of conversation: ConversationID, before place: UInt64?) throws(ChatError) -> ExportPage {
        try checkRunning()
        return try look { engine, transaction in
            let row = transaction.rowID(of: conversation)
            let records = try transaction.placedPage(of: row, before: place, limit: ArchiveLimits.pageCount)
            var page = ExportPage()
            for (_, record) in records.reversed() {
                guard let message = try engine.message(from: record, in: transaction) else { continue }
                if MessageContent.decode([UInt8](record.content))?.context.seconds ?? 0 > 0 {
                    page.disappearingCount += 1
                    continue
                }
                let files = message.files.indices.compactMap { index -> (index: Int, file: SealedFile)? in
                    guard let found = try? engine.file(index, of: message.id, in: transaction) else { return nil }
                    return (index, SealedFile(file: found.file, reference: found.reference))
                }
                page.messages.append(ExportMessage(message: message, record: record.archived(), files: files))
            }
            return page
        }
    }
}

extension ArchiveLine.Contact {
    fileprivate init(_ known: KnownPeer) {
        id = known.identity.id.description
        name = known.name?.text ?? ""
        trust = known.state.rawValue
        fingerprint = known.identity.fingerprint().description
        signingKey = Data(known.identity.signingKey)
        agreementKey = Data(known.identity.agreementKey)
    }
}

extension ChatEngine {
    /// A conversation as it is exported.
    fileprivate func exported(
        _ conversation: Conversation,
        in transaction: ChatTransaction
    ) throws -> ExportFrame.Conversation {
        var members = conversation.members.map {
            ArchiveLine.Member(id: $0.description, name: name(of: $0, in: conversation.id))
        }
        var kind = "direct"
        if case .group(let group) = conversation.id {
            kind = "group"
            // Who has left wrote some of it.
            let others = groups.table[group]?.log.everybody.subtracting(conversation.members) ?? []
            members += others.sorted().map {
                ArchiveLine.Member(id: $0.description, name: name(of: $0, in: conversation.id))
            }
        }
        let line = ArchiveLine.Conversation(
            id: conversation.id.description,
            kind: kind,
            title: conversation.title,
            members: members,
            messages: try transaction.messageCount(of: transaction.rowID(of: conversation.id))
        )
        return ExportFrame.Conversation(id: conversation.id, line: line)
    }
}
