import Earshot
import EarshotRPC
import Foundation

/// The effects of events.
extension ChatState {
    /// Processes an event.
    mutating func receive(_ event: RPCEvent, at now: Date) -> [ChatEffect] {
        switch event {
        case .message(let message): return receive(message, at: now)
        case .changed(let message): return change(to: message, at: now)
        case .removed(_, let message):
            return numbered.number(of: message).map { [Self.note("Message \($0) is gone.")] } ?? []
        case .typing(let conversation, let peer, let isActive):
            return type(peer, in: conversation, isActive: isActive, at: now)
        case .token(let conversation, let peer, let message, let text):
            if conversation == place?.id { grow(text, by: peer, answering: message) }
            return []
        case .status(let message, let status, let reason): return come(message, to: status, reason)
        case .contact(let contact):
            people.contacts[contact.id] = contact
            if place?.id == contact.id { place?.title = contact.name }
            if place?.members[contact.id] != nil { place?.members[contact.id] = contact.name }
            return []
        case .conversation(let conversation):
            people.conversations[conversation.id] = conversation
            unread.set(conversation.unread, in: conversation.id)
            if place?.id == conversation.id { place?.title = conversation.title }
            return []
        case .trust(let trust): return TrustText.line(trust).map { [Self.note($0, .warning)] } ?? []
        case .group(let event): return receive(event)
        case .room(let event): return receive(event)
        case .progress(let message, let index, let byteCount, let total):
            return byteCount == total ? arrive(index, of: message) : []
        case .fileFailed(let message, _, let reason):
            return numbered.number(of: message).map {
                [Self.note("An attachment of \($0) will not arrive: \(reason).", .bad)]
            }
                ?? []
        case .erased(let conversation): return erase(conversation)
        case .locked: return lock()
        case .unlocked: return unlock()
        case .storage(let reason):
            return [Self.note("The history cannot be written: \(DisplayText.safe(reason))", .bad)]
        case .historyTampered:
            return [
                Self.note("Something other than Earshot has changed the history. Run `earshot history check`.", .bad)
            ]
        case .lagged:
            return [.perform(place.map { .catchUp($0.id) } ?? .refresh)]
        case .linkUp, .linkDown: return [.perform(.refresh)]
        case .ready, .delivery, .envelope: return []
        }
    }

    // MARK: Messages

    private mutating func receive(_ message: MessageReply, at now: Date) -> [ChatEffect] {
        guard message.conversation == place?.id else { return receiveElsewhere(message) }
        if let system = message.system { keepMembers(system) }
        if Self.isAnswer(message) { isAnswered = true }
        if message.isSent { lastOwn = (message.id, message.status) }
        if !message.outgoing {
            typists[name(of: message.from)] = nil
            // The next message of a peer with a streaming reply is its final text, or the reason why there is none.
            if streaming?.by == message.from { streaming = nil }
        }
        guard numbered.number(of: message.id) == nil else {
            numbered.update(message)
            return []
        }
        if hiddenCount != nil, !message.outgoing { hiddenCount? += 1 }
        let effects =
            [heading(of: message, at: now).map { .show([$0]) }, showing(message)].compactMap(\.self)
            + pictures(of: message)
        let isSeen = !message.outgoing && !message.request
        return effects + (isSeen ? [.perform(.markRead(message.conversation))] : [])
            + (message.outgoing ? [] : lookAround())
            // The node decides which of several timers applies.
            + (message.system?.event == "timer" ? [.perform(.refresh)] : [])
    }

    private mutating func receiveElsewhere(_ message: MessageReply) -> [ChatEffect] {
        let isKnown = people.conversations[message.conversation] != nil
        // A system message, such as a change of members, does not count as unread.
        guard !message.outgoing, message.system == nil else { return isKnown ? [] : [.perform(.refresh)] }
        let (isChange, asks) = unread.add(in: message.conversation)
        let effects: [ChatEffect] = asks ? [.perform(.refresh)] : []
        if hiddenCount != nil { hiddenCount? += 1 }
        // Only the first message is reported; the number of unread ones stands above the prompt.
        guard isChange else { return effects }
        let name = DisplayText.safe(message.fromName)
        if message.request {
            let id = message.from.prefix(8)
            let ways = "/dm \(id) to read, then /trust accept \(id) or /trust block \(id)"
            return effects + [Self.note("\(name), who is not in your contacts, wants to talk: \(ways).", .warning)]
        }
        let place =
            isKnown && people.conversations[message.conversation]?.kind != "direct"
            ? " in \(title(of: message.conversation))" : ""
        return effects + [Self.note("\(name)\(place) has written to you. Use /dm to read it.", .warning)]
    }

    /// Formats a message of the open conversation, with a heading if the sender or the time is new.
    mutating func lines(of message: MessageReply, at now: Date) -> [StyledLine] {
        [heading(of: message, at: now)].compactMap(\.self) + bubble(of: message).lines
    }

    private mutating func showing(_ message: MessageReply) -> ChatEffect {
        .showMessage(message.id, bubble(of: message).lines)
    }

    private mutating func bubble(of message: MessageReply) -> MessageBubble {
        MessageBubble(
            message: message,
            number: numbered.number(of: message),
            own: ownID,
            kind: place?.kind ?? ""
        )
    }

    /// Formats the sender and the time; nil if they are the same as above.
    private mutating func heading(of message: MessageReply, at now: Date) -> StyledLine? {
        let moment = MessageBubble.moment(of: message)
        let isOfSame = lastHeading.map { last in
            last.from == message.from && abs(moment.timeIntervalSince(last.at)) < Self.headingSeconds
        }
        lastHeading = (message.from, moment)
        return isOfSame ?? false ? nil : bubble(of: message).heading(now: now, zone: zone)
    }

    /// The id of this node in the open conversation.
    var ownID: String { place?.own ?? people.own }

    private func pictures(of message: MessageReply) -> [ChatEffect] {
        guard !message.request, !message.deleted, showsPictures else { return [] }
        return (message.files ?? []).enumerated().filter { $1.complete && $1.type.hasPrefix("image/") }
            .map { .perform(.picture(message: message.id, index: $0.offset)) }
    }

    private mutating func arrive(_ index: Int, of id: String) -> [ChatEffect] {
        guard let message = numbered[id: id], !message.outgoing, let files = message.files,
            files.indices.contains(index),
            let number = numbered.number(of: id)
        else { return [] }
        let note = Self.note("\(DisplayText.safe(files[index].name)) is here: /save \(number) keeps a copy.", .good)
        let isPicture = showsPictures && files[index].type.hasPrefix("image/") && message.conversation == place?.id
        return [note] + (isPicture ? [.perform(.picture(message: id, index: index))] : [])
    }

    private mutating func come(_ message: String, to status: String, _ reason: String?) -> [ChatEffect] {
        if lastOwn?.id == message { lastOwn?.status = status }
        guard let number = numbered.number(of: message) else { return [] }
        if numbered[number]?.conversation == place?.id, status == "delivered" || status == "read" { isAnswered = true }
        if hasStatusRow, let known = numbered[number] {
            var bubble = self.bubble(of: known)
            (bubble.status, bubble.reason) = (status, reason)
            return [.redraw(message, bubble.lines)] + (status == "delivered" ? lookAround() : [])
                + (status == "failed" ? [Self.note("\(number) \(StatusMark.text(status, reason: reason))", .bad)] : [])
        }
        if status == "failed" { return [Self.note("\(number) \(StatusMark.text(status, reason: reason))", .bad)] }
        guard status == "delivered" || status == "read" else { return [] }
        let isSampled = numbered[number]?.sampled == true
        return [Self.note("\(number) \(StatusMark.text(status, isSampled: isSampled))")]
    }

    /// Refreshes the contacts if the peer of the open conversation, from which something just arrived, counts as
    /// offline.
    private func lookAround() -> [ChatEffect] {
        guard hasStatusRow, let place, people.contacts[place.id]?.reachable == false else { return [] }
        return [.perform(.refresh)]
    }

    private mutating func type(
        _ peer: String,
        in conversation: String,
        isActive: Bool,
        at now: Date
    ) -> [ChatEffect] {
        guard conversation == place?.id else { return [] }
        typists[name(of: peer)] = isActive ? now.addingTimeInterval(Self.typingSeconds) : nil
        return isActive ? [.tick(after: Int(Self.typingSeconds) + 1)] : []
    }

    /// Shows the progress of a streaming reply: the first of several, but a reply to an own message before all others.
    private mutating func grow(_ text: String, by peer: String, answering question: String) {
        guard let asked = numbered[id: question] else { return }
        let shown = streaming.flatMap { numbered[id: $0.question] }
        guard asked.outgoing || shown == nil || shown?.id == question else { return }
        streaming = (question, peer, DisplayText.end(of: text))
    }

    // MARK: Groups and rooms

    /// Updates the members of the open group or room, and their names.
    private mutating func keepMembers(_ system: SystemReply) {
        guard let peer = system.peer, peer != place?.own else { return }
        switch system.event {
        case "added": place?.members[peer] = system.name
        case "removed": place?.members[peer] = nil
        default: break
        }
    }

    private mutating func receive(_ event: GroupEventReply) -> [ChatEffect] {
        if event.event == "renamed", let title = event.title, place?.id == event.group { place?.title = title }
        switch event.event {
        case "invited": return [Self.note("You are invited to a group. `earshot group list` shows it.", .warning)]
        case "joined", "added", "removed", "left", "renamed", "ended": return [.perform(.refresh)]
        default: return []
        }
    }

    private mutating func receive(_ event: RoomEventReply) -> [ChatEffect] {
        let isOpen = place?.id == event.room
        let title = people.conversations[event.room].map { DisplayText.safe($0.title) }
        switch event.event {
        case "waiting" where event.by != nil:
            guard title == nil, joinRequests.count < Self.joinRequestCount else { return [joinRequest(event)] }
            // The title of a room that was made elsewhere is not known and has to be requested.
            joinRequests.append(event)
            return [.perform(.refresh)]
        case "code":
            let effects: [ChatEffect] = title == nil ? [.perform(.refresh)] : []
            return effects + (event.code.map { [Self.note("The room's new code is \($0).", .good)] } ?? [])
        case "closed", "expired":
            return (isOpen ? erase(event.room) : [])
                + [Self.note("\(title.map { "The room \($0)" } ?? "A room") has ended.", .warning)]
        case "rejected" where event.by == nil: return [Self.note("The host of the room has rejected you.", .warning)]
        case "renamed":
            if isOpen, let title = event.title { place?.title = title }
            return [.perform(.refresh)]
        case "joined", "approved", "added", "removed", "left": return [.perform(.refresh)]
        default: return []
        }
    }

    /// Shows a join request.
    func joinRequest(_ event: RoomEventReply) -> ChatEffect {
        let name = DisplayText.safe(event.name ?? "Somebody")
        let title = people.conversations[event.room].map { DisplayText.safe($0.title) } ?? "a room of yours"
        let isOpen = place?.id == event.room
        let ways = isOpen ? "/room admit \(name) or /room refuse \(name)" : "open the room to answer"
        return Self.note("\(name) wants to join \(title): \(ways).", .warning)
    }

    // MARK: The whole

    private mutating func erase(_ conversation: String) -> [ChatEffect] {
        unread.forget(conversation)
        people.conversations[conversation] = nil
        guard place?.id == conversation else { return [] }
        place = nil
        numbered.forget()
        (lastOwn, lastHeading) = (nil, nil)
        return [.clear, Self.note("This conversation is erased.")]
    }

    private mutating func lock() -> [ChatEffect] {
        (isLocked, wasMistaken) = (true, false)
        numbered.forget()
        (lastOwn, lastHeading, typists, streaming) = (nil, nil, [:], nil)
        (awaited, joinRequests) = (AwaitedPages(), [])
        return [.clear, .forgetTyped]
    }

    private mutating func unlock() -> [ChatEffect] {
        guard isLocked else { return [] }
        isLocked = false
        return [.perform(place.map { .open($0.id) } ?? .refresh)]
    }
}
