import Earshot
import EarshotRPC
import Foundation

/// An input of the chat.
enum ChatInput: Sendable {
    case event(RPCEvent)
    /// A line was typed.
    case typed(String)
    /// The user is typing.
    case typing
    case answer(ChatRequest, ChatAnswer)
    /// Ctrl-C with nothing typed, or the end of the input.
    case interrupted
    /// The time of a tick has come.
    case tick
}

/// An effect of the chat.
enum ChatEffect: Equatable, Sendable {
    case show([StyledLine])
    /// A failure to show.
    case refuse(CommandFailure)
    /// New lines of a message, by its id; they are drawn in place of the old ones if that is still possible.
    case redraw(String, [StyledLine])
    /// The lines of a message, which may be redrawn by its id.
    case showMessage(String, [StyledLine])
    case picture([UInt8])
    case perform(ChatRequest)
    /// The removal of everything that was shown.
    case clear
    /// The removal of the history of typed lines.
    case forgetTyped
    /// A timer for the input `tick`. Units: seconds.
    case tick(after: Int)
    case quit
}

/// The state of a chat in a terminal: it turns events and typed lines into output and requests.
///
/// A value without a terminal and without a node: times are handed in, requests handed out.
struct ChatState: Sendable {
    /// The number of messages that are shown when a conversation is opened.
    static let pageCount = 20
    /// Units: seconds that a typing indicator lasts.
    static let typingSeconds = 6.0
    /// Units: seconds between two typing indicators of this user.
    static let typingPause = 3.0
    /// Units: seconds after which messages of the same sender get a new heading.
    static let headingSeconds = 300.0

    /// The largest number of join requests that wait for the title of their room.
    static let joinRequestCount = 16

    /// The advice for a conversation without messages.
    static let firstSteps = "Type and press Enter. /file PATH sends a file, /who lists people, /help more."

    /// Whether the screen has a status row; without one, lines report the status.
    let hasStatusRow: Bool
    /// Whether the screen shows pictures.
    let showsPictures: Bool
    let zone: TimeZone
    var people = ChatPeople()
    var place: ChatConversation?
    var numbered = NumberedMessages()
    var unread = UnreadCounts()
    /// The members that are typing in the open conversation, by name, with the end of each indicator.
    var typists: [String: Date] = [:]
    var lastTyping: Date?
    /// The streaming reply in the open conversation: the question, the author, and the end of the text.
    var streaming: (question: String, by: String, end: String)?
    /// The newest own message of the open conversation.
    var lastOwn: (id: String, status: String)?
    /// Whether the peer of the open conversation ever acknowledged or wrote anything, as far as is known.
    var isAnswered = true
    /// The sender and the time of the last heading.
    var lastHeading: (from: String, at: Date)?
    /// The number of messages that arrived while the screen was hidden; nil while it is shown.
    var hiddenCount: Int?
    /// The time of the newest input.
    var now = Date.distantPast
    var isLocked = false
    /// Whether the last passphrase was wrong.
    var wasMistaken = false
    var awaited = AwaitedPages()
    /// The join requests for rooms whose titles are requested.
    var joinRequests: [RoomEventReply] = []

    init(hasStatusRow: Bool, showsPictures: Bool = false, zone: TimeZone) {
        self.hasStatusRow = hasStatusRow
        self.showsPictures = showsPictures
        self.zone = zone
    }

    /// Processes an input.
    mutating func handle(_ input: ChatInput, at now: Date) -> [ChatEffect] {
        self.now = now
        typists = typists.filter { $0.value > now }
        let effects: [ChatEffect]
        switch input {
        case .event(let event): effects = take(event, at: now)
        case .typed(let line): effects = type(line, at: now)
        case .typing: return sendTyping(at: now)
        case .answer(let request, let answer):
            effects = receive(answer, to: request, at: now) + catchUp(with: request, at: now)
        case .interrupted: return [.quit]
        case .tick: return []
        }
        for case .perform(let request) in effects { request.opens.map { awaited.ask(for: $0) } }
        // A typed line is answered also while the screen is hidden.
        if case .typed = input { return effects }
        guard hiddenCount != nil || isLocked else { return effects }
        // A hidden or locked screen shows no messages.
        return effects.filter { effect in
            switch effect {
            case .show, .showMessage, .redraw, .picture, .perform(.markRead): false
            case .perform, .refuse, .clear, .forgetTyped, .tick, .quit: true
            }
        }
    }

    /// The prompt around the line that is being typed.
    var prompt: ChatPrompt {
        if isLocked {
            return ChatPrompt(
                status: StyledLine(wasMistaken ? "── locked: wrong passphrase ──" : "── locked ──", .warning),
                label: "Passphrase: ",
                isSecret: true
            )
        }
        var parts: [Span] = []
        if let hiddenCount {
            parts = [Span("hidden: /show", .warning), Span(hiddenCount > 0 ? "\(hiddenCount) new" : "")]
        } else {
            parts =
                [placePart, timerPart].compactMap(\.self)
                + [typingPart, streamingPart, ownPart, unreadPart].compactMap(\.self)
        }
        var spans = [Span("──", .dim)]
        for part in parts where !part.text.isEmpty { spans += [Span(" "), part, Span(" ──", .dim)] }
        let label = hiddenCount == nil ? place.map { DisplayText.safe($0.title) + "> " } : nil
        return ChatPrompt(status: StyledLine(spans), label: label ?? "> ")
    }

    /// The words that can be completed.
    var words: CompletionWords {
        var words = CompletionWords()
        let titles = people.conversations.values.filter { $0.kind != "direct" }.map { "\($0.kind):\($0.title)" }
        words.people = (people.contacts.values.map(\.name) + titles).filter { DisplayText.safe($0) == $0 }.sorted()
        // A mention is sent as it is typed, so it has the name that the member chose.
        let members = place?.members.map { people.contacts[$0]?.claimedName ?? $1 } ?? []
        words.members = members.sorted().filter { DisplayText.safe($0) == $0 }
        return words
    }

    /// Reports a mistake in a typed line.
    static func mistake(_ reason: String) -> ChatEffect { .refuse(CommandFailure(.badData, reason)) }

    /// Makes a line of incidental information.
    static func note(_ text: String, _ style: TextStyle = .dim) -> ChatEffect {
        .show([StyledLine([Span(" · \(text)", style)], continuation: [Span("   ")])])
    }

    private var placePart: Span? {
        guard let place else { return Span("/dm WHO to talk, /help for more", .dim) }
        guard place.kind == "direct", let contact = people.contacts[place.id] else {
            return Span("\(place.kind), \(place.members.count) in it", .dim)
        }
        let hops = contact.reachable ? contact.hops.map { $0 == 1 ? ", 1 hop" : ", \($0) hops" } ?? "" : ""
        let presence = PresenceText.words(contact, now: now)
        return Span("\(TrustText.word(contact.trust)), \(presence)\(hops)", contact.trust == "verified" ? .good : .dim)
    }

    private var timerPart: Span? {
        guard let place, let seconds = people.conversations[place.id]?.expiresAfter, seconds > 0 else { return nil }
        return Span("timer \(TimeText.short(seconds: seconds))", .warning)
    }

    private var typingPart: Span? {
        guard !typists.isEmpty else { return nil }
        let names = typists.keys.sorted().joined(separator: ", ")
        return Span("\(names) \(typists.count == 1 ? "types" : "type")…", .warning)
    }

    private var streamingPart: Span? {
        guard let streaming, let number = numbered.number(of: streaming.question) else { return nil }
        return Span("to \(number): \(streaming.end)", .warning)
    }

    private var ownPart: Span? {
        guard let lastOwn, let number = numbered.number(of: lastOwn.id) else { return nil }
        if !isAnswered, place?.kind == "direct", lastOwn.status == "carried" {
            return Span("waiting to be accepted", .warning)
        }
        let text = StatusMark.text(lastOwn.status, isSampled: numbered[number]?.sampled == true)
        return Span("\(number) \(text)", StatusMark.style(lastOwn.status))
    }

    private var unreadPart: Span? {
        let text = unreadText
        return text.isEmpty ? nil : Span("unread: \(text)", .bold)
    }

    /// The conversations with unread messages, with the number of each.
    var unreadText: String {
        unread.counts.filter { $0.value > 0 && $0.key != place?.id }
            .map { "\(title(of: $0.key)) \($0.value)" }.sorted().joined(separator: ", ")
    }

    /// Returns the title of a conversation; the first digits of its id if the title is not known.
    func title(of conversation: String) -> String {
        let title = people.conversations[conversation]?.title ?? people.contacts[conversation]?.name
        return DisplayText.safe(title ?? String(conversation.prefix(8)))
    }

    /// Returns the name of a peer.
    func name(of peer: String) -> String {
        if peer == people.own || peer == place?.own { return "you" }
        return DisplayText.safe(place?.members[peer] ?? people.contacts[peer]?.name ?? String(peer.prefix(8)))
    }
}
