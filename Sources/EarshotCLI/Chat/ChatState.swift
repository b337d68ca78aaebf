import EarshotRPC
import Foundation

/// What comes to the chat.
enum ChatInput: Sendable {
    case event(RPCEvent)
    /// A line was typed.
    case typed(String)
    /// Something is being typed.
    case typing
    case answer(ChatRequest, ChatAnswer)
    /// Ctrl-C with nothing typed, or the end of the input.
    case interrupted
    /// Some time has gone by.
    case tick
}

/// What the chat does.
enum ChatEffect: Equatable, Sendable {
    case show([StyledLine])
    /// Tells that something cannot be done.
    case refuse(CommandFailure)
    /// The lines of a message, by its id; in their place if they can still be drawn anew, else not at all.
    case redraw(String, [StyledLine])
    /// Lines of a message that may be drawn anew, by its id.
    case showMessage(String, [StyledLine])
    case picture([UInt8])
    case perform(ChatRequest)
    /// Takes everything shown away.
    case clear
    /// Forgets the lines typed before.
    case forgetTyped
    /// An input `tick` after so many seconds.
    case tick(after: Int)
    case quit
}

/// A chat in a terminal: what is shown for what happens, and what a typed line leads to.
///
/// A value with neither terminal nor node in it: times are handed in, requests handed out.
struct ChatState: Sendable {
    /// Messages of a conversation that are shown when it is opened.
    static let pageCount = 20
    /// Units: seconds that a sign of typing holds.
    static let typingSeconds = 6.0
    /// Units: seconds between two signs that go out.
    static let typingPause = 3.0
    /// Units: seconds after which the time stands anew above messages of the same sender.
    static let headingSeconds = 300.0

    /// Of those who wait at doors, how many wait here for the room's title, too.
    static let knockCount = 16

    /// Whether there is a row for the status of what is open; where there is none, lines tell it.
    let hasStatusRow: Bool
    /// Whether there are pictures to be seen.
    let showsPictures: Bool
    let zone: TimeZone
    var people = ChatPeople()
    var place: ChatPlace?
    var ledger = MessageLedger()
    var unread = UnreadCounts()
    /// Until when somebody types in the open conversation, by name.
    var typists: [String: Date] = [:]
    var lastTyping: Date?
    /// The end of an answer that is being made in the open conversation, and by whom.
    var growing: (question: String, by: String, end: String)?
    /// The newest own message of the open conversation.
    var lastOwn: (id: String, status: String)?
    /// Whether the other of the open conversation has ever acknowledged or written anything, as far as is known.
    var isAnswered = true
    /// Who spoke last and when.
    var lastHeading: (from: String, at: Date)?
    /// Messages that came while nothing was to be seen.
    var hiddenCount: Int?
    var isLocked = false
    /// Whether the last passphrase that was typed is not that of the home.
    var wasMistaken = false
    var awaited = AwaitedPages()
    /// Who waits at doors of rooms whose titles are asked for.
    var knocks: [RoomEventReply] = []

    init(hasStatusRow: Bool, showsPictures: Bool = false, zone: TimeZone) {
        self.hasStatusRow = hasStatusRow
        self.showsPictures = showsPictures
        self.zone = zone
    }

    /// Takes an input in.
    mutating func handle(_ input: ChatInput, at now: Date) -> [ChatEffect] {
        typists = typists.filter { $0.value > now }
        let effects: [ChatEffect]
        switch input {
        case .event(let event): effects = take(event, at: now)
        case .typed(let line): effects = type(line, at: now)
        case .typing: return tellTyping(at: now)
        case .answer(let request, let answer):
            effects = receive(answer, to: request, at: now) + catchUp(with: request, at: now)
        case .interrupted: return [.quit]
        case .tick: return []
        }
        for case .perform(let request) in effects { request.opens.map { awaited.ask(for: $0) } }
        // What a user has typed is answered all the same.
        if case .typed = input { return effects }
        guard hiddenCount != nil || isLocked else { return effects }
        // Nothing of what is said gets onto a screen that was cleared.
        return effects.filter { effect in
            switch effect {
            case .show, .showMessage, .redraw, .picture, .perform(.markRead): false
            case .perform, .refuse, .clear, .forgetTyped, .tick, .quit: true
            }
        }
    }

    /// What stands around the line being typed.
    var prompt: ChatPrompt {
        if isLocked {
            return ChatPrompt(
                status: StyledLine(wasMistaken ? "── locked: that was wrong ──" : "── locked ──", .warning),
                label: "Passphrase: ",
                isSecret: true
            )
        }
        var parts: [Span] = []
        if let hiddenCount {
            parts = [Span("hidden: /show", .warning), Span(hiddenCount > 0 ? "\(hiddenCount) new" : "")]
        } else {
            parts = [placePart].compactMap(\.self) + [typingPart, growingPart, ownPart, unreadPart].compactMap(\.self)
        }
        var spans = [Span("──", .dim)]
        for part in parts where !part.text.isEmpty { spans += [Span(" "), part, Span(" ──", .dim)] }
        let label = hiddenCount == nil ? place.map { DisplayText.safe($0.title) + "> " } : nil
        return ChatPrompt(status: StyledLine(spans), label: label ?? "> ")
    }

    /// What can be completed.
    var words: CompletionWords {
        var words = CompletionWords()
        let titles = people.conversations.values.filter { $0.kind != "direct" }.map { "\($0.kind):\($0.title)" }
        words.people = (people.contacts.values.map(\.name) + titles).filter { DisplayText.safe($0) == $0 }.sorted()
        words.members = (place?.members.values.sorted() ?? []).filter { DisplayText.safe($0) == $0 }
        return words
    }

    /// Tells what was wrong with a line.
    static func mistake(_ reason: String) -> ChatEffect { .refuse(CommandFailure(.badData, reason)) }

    /// A line by the way.
    static func note(_ text: String, _ style: TextStyle = .dim) -> ChatEffect {
        .show([StyledLine([Span(" · \(text)", style)], continuation: [Span("   ")])])
    }

    private var placePart: Span? {
        guard let place else { return Span("/dm WHO to talk, /help for more", .dim) }
        guard place.kind == "direct", let contact = people.contacts[place.id] else {
            return Span("\(place.kind), \(place.members.count) in it", .dim)
        }
        let distance = contact.hops.map { $0 == 1 ? "1 hop" : "\($0) hops" } ?? "near"
        let isGood = contact.trust == "verified"
        return Span("\(contact.trust), \(contact.reachable ? distance : "away")", isGood ? .good : .dim)
    }

    private var typingPart: Span? {
        guard !typists.isEmpty else { return nil }
        let names = typists.keys.sorted().joined(separator: ", ")
        return Span("\(names) \(typists.count == 1 ? "types" : "type")…", .warning)
    }

    private var growingPart: Span? {
        guard let growing, let number = ledger.number(of: growing.question) else { return nil }
        return Span("to \(number): \(growing.end)", .warning)
    }

    private var ownPart: Span? {
        guard let lastOwn, let number = ledger.number(of: lastOwn.id) else { return nil }
        if !isAnswered, place?.kind == "direct", lastOwn.status == "carried" {
            return Span("waiting to be accepted", .warning)
        }
        return Span("\(number) \(StatusMark.text(lastOwn.status))", StatusMark.style(lastOwn.status))
    }

    private var unreadPart: Span? {
        let text = unreadText
        return text.isEmpty ? nil : Span("unread: \(text)", .bold)
    }

    /// Where something is that nobody has looked at, and how much.
    var unreadText: String {
        unread.counts.filter { $0.value > 0 && $0.key != place?.id }
            .map { "\(title(of: $0.key)) \($0.value)" }.sorted().joined(separator: ", ")
    }

    /// What a conversation is called; its first digits where that is not known.
    func title(of conversation: String) -> String {
        let title = people.conversations[conversation]?.title ?? people.contacts[conversation]?.name
        return DisplayText.safe(title ?? String(conversation.prefix(8)))
    }

    /// What somebody is called.
    func name(of peer: String) -> String {
        if peer == people.own || peer == place?.own { return "you" }
        return DisplayText.safe(place?.members[peer] ?? people.contacts[peer]?.name ?? String(peer.prefix(8)))
    }
}
