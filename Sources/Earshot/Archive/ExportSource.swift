import ChatCore
import ChatCrypto

/// The source of an export: an account, or the rescued part of a home.
protocol ExportSource: Sendable {
    /// Returns the beginning of an export of one conversation, or of all.
    func exportFrame(_ chosen: ConversationID?) async throws(ChatError) -> ExportFrame

    /// Returns the position at which a page ends and the next older page begins; nil if there is no older page.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) async throws(ChatError) -> UInt64?

    /// Returns a page of a conversation for an export.
    func exportPage(of conversation: ConversationID, before place: UInt64?) async throws(ChatError) -> ExportPage
}

/// The beginning of an export.
struct ExportFrame: Sendable {
    /// A conversation of the export.
    struct Conversation: Sendable {
        let id: ConversationID
        let line: ArchiveLine.Conversation
    }

    let id: PeerID
    let name: String
    let contacts: [ArchiveLine.Contact]
    let conversations: [Conversation]
}

/// A message of the export.
struct ExportMessage: Sendable {
    let message: Message
    let record: [UInt8]
    /// The message's files that are here, by index.
    let files: [(index: Int, file: SealedFile)]
}

/// A page of messages of a conversation, oldest first.
struct ExportPage: Sendable {
    var messages: [ExportMessage] = []
    var disappearingCount = 0
}
