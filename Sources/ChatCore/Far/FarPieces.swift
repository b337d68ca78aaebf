import ChatCrypto
import MeshCore

/// The pieces of attachments that were written for mailboxes lately, and the room that a day has for more.
///
/// Source: PROTOCOL §20.
struct FarPieces: Sendable {
    private var day: UInt32 = 0
    private var fileCount = 0
    private var textCount = 0
    private var counts: [ConversationID: Int] = [:]
    /// The last day on which all attachments of a message were written.
    private var writtenOn: [MessageID: UInt32] = [:]

    /// Begins a day, with all its room.
    mutating func begin(_ day: UInt32) {
        guard self.day != day else { return }
        self.day = day
        (fileCount, textCount, counts) = (0, 0, [:])
        // Hubs keep mail for longer than that.
        writtenOn = writtenOn.filter { $0.value <= day && day - $0.value < FarLimits.pieceInterval }
    }

    /// Returns whether the attachments of a message lie in mailboxes already.
    func isWritten(_ message: MessageID) -> Bool { writtenOn[message] != nil }

    /// Notes that all attachments of a message were written.
    mutating func noteWritten(_ message: MessageID) { writtenOn[message] = day }

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
