import ChatCore
import ChatCrypto

/// What an export is made of: a node, or what was rescued of a home.
protocol ExportSource: Sendable {
    /// What an export of a conversation, or of all, begins with.
    func exportFrame(_ chosen: ConversationID?) async throws(ChatError) -> ExportFrame

    /// Where the page before one ends; nil if there is none.
    func exportEnd(of conversation: ConversationID, before place: UInt64?) async throws(ChatError) -> UInt64?

    /// A page of a conversation as it is exported.
    func exportPage(of conversation: ConversationID, before place: UInt64?) async throws(ChatError) -> ExportPage
}

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
