import Earshot
import EarshotRPC
import Foundation

/// The effects of answers.
extension ChatState {
    /// Processes an answer.
    mutating func receive(_ answer: ChatAnswer, to request: ChatRequest, at now: Date) -> [ChatEffect] {
        switch answer {
        case .done, .sent: return []
        case .reported(let lines):
            lastHeading = nil
            // A name is also in the titles of conversations.
            if case .name = request { return [.show(lines), .perform(.refresh)] }
            return [.show(lines)]
        case .failed(let failure): return request.isCourtesy ? [] : [.refuse(failure)]
        case .known(let people):
            take(people)
            return []
        case .opened(let place, let messages, let people):
            // A locked home keeps no answer from before the lock.
            guard !isLocked else { return [] }
            let isMissed = if case .catchUp = request { self.place?.id == place.id } else { false }
            return open(place, messages, people, isMissed: isMissed, at: now)
        case .older(let messages):
            guard !messages.isEmpty else { return [Self.note("There are no older messages.")] }
            lastHeading = nil
            let lines = messages.flatMap { self.lines(of: $0, at: now) }
            lastHeading = nil
            return [.show([Self.rule("older")] + lines + [Self.rule("same messages as above from here on")])]
        case .found(let hits): return [.show(found(hits, at: now))]
        case .picture(let bytes): return [.picture(bytes)]
        case .unlocked: return receive(.unlocked, at: now)
        case .wrongPassphrase:
            wasMistaken = isLocked
            return [.clear]
        }
    }

    /// Makes a divider line.
    static func rule(_ text: String, _ style: TextStyle = .dim) -> StyledLine {
        StyledLine([Span("── ", .dim), Span(text, style), Span(" ──", .dim)])
    }

    private mutating func take(_ people: ChatPeople) {
        self.people = people
        unread.take(people.conversations, open: place?.id)
        if let place, let known = people.conversations[place.id] { self.place?.title = known.title }
    }

    private mutating func open(
        _ place: ChatConversation,
        _ messages: [MessageReply],
        _ people: ChatPeople,
        isMissed: Bool,
        at now: Date
    ) -> [ChatEffect] {
        let isSame = self.place?.id == place.id
        self.place = place
        if !isSame { (typists, lastOwn) = ([:], nil) }
        take(people)
        // In a longer conversation, older messages may have been answered.
        let isAnswered = messages.count >= Self.pageCount || messages.contains(where: Self.isAnswer)
        self.isAnswered = isAnswered || isSame && self.isAnswered
        if let own = messages.last(where: \.isSent) { lastOwn = (own.id, own.status) }
        let shown = isMissed ? messages.filter { numbered.number(of: $0.id) == nil } : messages
        lastHeading = nil
        let newCount = people.conversations[place.id]?.unread ?? 0
        var lines = isMissed ? [] : [Self.rule(DisplayText.safe(place.name), .bold)]
        var rest = shown.count(where: { !$0.outgoing })
        for message in shown {
            if !message.outgoing {
                if rest == newCount, !isMissed { lines.append(Self.rule("\(newCount) new", .warning)) }
                rest -= 1
            }
            lines += self.lines(of: message, at: now)
        }
        if messages.isEmpty {
            lines.append(StyledLine(" · No messages yet. \(Self.firstSteps)", .dim))
        }
        let isRequest = people.conversations[place.id]?.request ?? false
        if isRequest {
            lines.append(
                StyledLine(
                    " · Not in your contacts: /trust accept or /trust block. Until then they get no receipts.",
                    .warning
                )
            )
        }
        if let claim = ClaimText.line(of: place.id, among: Array(people.contacts.values)) {
            lines.append(StyledLine(" · \(claim)", .warning))
        }
        if !unreadText.isEmpty, !isMissed { lines.append(StyledLine(" · Unread elsewhere: \(unreadText)", .dim)) }
        return [.show(lines)] + (newCount > 0 && !isRequest ? [.perform(.markRead(place.id))] : [])
    }

    private mutating func found(_ hits: [SearchHitReply], at now: Date) -> [StyledLine] {
        guard !hits.isEmpty else { return [StyledLine(" · Nothing was found.", .dim)] }
        lastHeading = nil
        let lines = hits.reversed().flatMap { self.lines(of: $0.message, at: now) }
        lastHeading = nil
        return [Self.rule("found")] + lines + [Self.rule("end")]
    }
}
