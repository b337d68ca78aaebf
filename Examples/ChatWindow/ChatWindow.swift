import Earshot
import Observation

/// The model of a chat program: the list of conversations, and the window of the one that is open.
///
/// A view shows its properties and calls its functions; SwiftUI follows them by `@Observable`.
@MainActor @Observable
final class ChatWindow {
    /// The conversations in the order of the list, with unread counts, drafts and the peers that are typing.
    private(set) var conversations: [Conversation] = []
    /// The open conversation, and its messages with their statuses.
    private(set) var open: ConversationHandle?
    private(set) var messages: [Message] = []
    private(set) var hasEarlier = false
    private let node: ChatNode
    private var window: MessageWindow?
    private var reading: Task<Void, any Error>?

    init(_ node: ChatNode) { self.node = node }

    /// Follows the list until the node stops.
    func run() async throws {
        for try await rows in node.conversations.updates { conversations = rows }
    }

    /// Opens a conversation, follows its messages and marks what is shown as read.
    func open(_ id: ConversationID) {
        reading?.cancel()
        let handle = node.conversation(id)
        let window = handle.messages(pageSize: 50)
        (self.window, open, messages) = (window, handle, [])
        reading = Task { [weak self] in
            for try await shown in window {
                self?.messages = shown.messages
                self?.hasEarlier = shown.hasEarlier
                try await handle.markRead()
            }
        }
    }

    /// Shows an earlier page as well, once the user has scrolled to the beginning.
    func scrolledToTop() { window?.loadEarlier() }

    /// Tells the others that the user types.
    func typed() async throws { try await open?.setTyping() }

    /// Sends the text that the user has typed.
    func send(_ text: String) async throws { try await open?.send(text) }
}
