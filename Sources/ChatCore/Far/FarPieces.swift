import ChatCrypto
import MeshCore

/// The room that a day has for pieces of attachments in mailboxes.
///
/// Source: PROTOCOL §20.
struct FarPieces: Sendable {
    private var fileCount = 0
    private var textCount = 0
    private var counts: [ConversationID: Int] = [:]

    /// Takes room for pieces of an attachment; false if the day has none left.
    ///
    /// - Parameter isText: Whether they belong to a long text. Such texts have room of their own.
    mutating func takeRoom(for count: Int, in conversation: ConversationID, isText: Bool) -> Bool {
        if isText {
            guard textCount + count <= FarLimits.textPieceCount else { return false }
            textCount += count
            return true
        }
        let sum = counts[conversation, default: 0] + count
        guard sum <= FarLimits.conversationPieceCount, fileCount + count <= FarLimits.filePieceCount else {
            return false
        }
        fileCount += count
        counts[conversation] = sum
        return true
    }
}
