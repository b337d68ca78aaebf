public import ChatCore
import ChatCrypto
import Synchronization

/// The messages that a list shows: a window on a conversation, whole after each change.
///
/// The window follows the newest message until `loadEarlier()` has moved its end away from it. It holds at most
/// ``sizeLimit`` messages; beyond that it moves instead of growing.
public struct MessageWindow: AsyncSequence, Sendable {
    /// The messages of the window, with the numbers of those around it.
    public typealias Element = HistoryWindow
    /// The error of a store that cannot be read.
    public typealias Failure = ChatError
    /// One reader of the window.
    public typealias AsyncIterator = Updates<HistoryWindow>.AsyncIterator

    /// The most messages of a window.
    public static let sizeLimit = 1_000

    /// The part that the window shows, shared by its copies and readers.
    private final class Frame: Sendable {
        struct Part {
            var place: HistoryWindow.Place
            var limit: Int
            /// The window as it was last read.
            var last: HistoryWindow?
        }

        let part: Mutex<Part>

        init(_ place: HistoryWindow.Place, limit: Int) { part = Mutex(Part(place: place, limit: limit)) }
    }

    private let conversation: ConversationHandle
    private let pageSize: Int
    private let frame: Frame

    init(of conversation: ConversationHandle, pageSize: Int, around message: MessageID?) {
        self.conversation = conversation
        self.pageSize = Swift.min(Swift.max(1, pageSize), Self.sizeLimit)
        frame = Frame(message.map(HistoryWindow.Place.message) ?? .end, limit: self.pageSize)
    }

    private var updates: Updates<HistoryWindow> {
        Updates(
            conversation.node.feed,
            after: { [id = conversation.id] event in event.mayChangeMessages(of: id) },
            read: { [self] () async throws(ChatError) in try await read() }
        )
    }

    private func read() async throws(ChatError) -> HistoryWindow {
        let (place, limit) = frame.part.withLock { ($0.place, $0.limit) }
        let window = try await conversation.history(limit: limit, at: place)
        frame.part.withLock { $0.last = window }
        return window
    }

    /// Begins to read the window: first as it is now, then after each change.
    public func makeAsyncIterator() -> AsyncIterator { updates.makeAsyncIterator() }

    /// Lets the window begin a page earlier; its readers receive the larger window.
    public func loadEarlier() {
        frame.part.withLock { part in
            guard let last = part.last, last.countBefore > 0 else { return }
            if part.limit + pageSize <= Self.sizeLimit {
                part.limit += pageSize
            } else if let first = last.messages.first {
                part.place = .message(first.id)
            }
        }
        conversation.node.feed.wakeObservers()
    }

    /// Lets the window end later; once it reaches the newest message, it follows it again.
    public func loadLater() {
        frame.part.withLock { part in
            guard let last = part.last, let end = last.messages.last else { return }
            part.place = last.countAfter > pageSize ? .message(end.id) : .end
        }
        conversation.node.feed.wakeObservers()
    }
}

extension HistoryWindow {
    /// Whether the conversation has messages before these.
    public var hasEarlier: Bool { countBefore > 0 }
    /// Whether the conversation has messages after these.
    public var hasLater: Bool { countAfter > 0 }
}

extension ChatEvent {
    /// Whether the messages of a conversation may differ after it.
    fileprivate func mayChangeMessages(of conversation: ConversationID) -> Bool {
        switch self {
        case .message(let message), .changed(let message): message.conversation == conversation
        case .removed(let changed, _), .erased(let changed): changed == conversation
        case .status(let changed, _, _): changed == conversation
        case .fileFailed(let changed, _, _, _): changed == conversation
        case .contact, .trust: true
        case .linkUp, .linkDown, .conversation, .typing, .streamingReply, .delivery, .group, .room, .relayed, .locked,
            .unlocked, .progress, .storageFailing, .historyTampered, .lagged:
            false
        }
    }
}
