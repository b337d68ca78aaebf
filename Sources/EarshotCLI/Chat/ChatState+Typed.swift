import Earshot
import EarshotRPC
import Foundation

/// The effects of typed lines.
extension ChatState {
    /// Carries out a typed line.
    mutating func type(_ line: String, at now: Date) -> [ChatEffect] {
        if isLocked { return line.isEmpty ? [] : [.perform(.unlock(line))] }
        lastTyping = nil
        do throws(ChatMistake) {
            let action = try ChatLine.action(of: line)
            if action == .nothing, hiddenCount != nil { return try effects(of: .show) }
            return try effects(of: action)
        } catch {
            return [Self.mistake(error.reason)]
        }
    }

    /// Sends a typing indicator, at most one per ``typingPause``.
    mutating func sendTyping(at now: Date) -> [ChatEffect] {
        guard let place, !isLocked, lastTyping.map({ now.timeIntervalSince($0) >= Self.typingPause }) ?? true else {
            return []
        }
        lastTyping = now
        return [.perform(.typing(place.id))]
    }

    private mutating func effects(of action: ChatAction) throws(ChatMistake) -> [ChatEffect] {
        switch action {
        case .nothing: return []
        case .say(let text): return [.perform(.say(text, to: try open().id, replyTo: nil))]
        case .reply(let number, let text):
            let message = try message(number)
            return [.perform(.say(text, to: message.conversation, replyTo: message.id))]
        case .file(let path, let text): return [.perform(.file(path: path, text: text, to: try open().id))]
        case .poll(let question, let options):
            return [.perform(.poll(question: question, options: options, to: try open().id))]
        case .open(let who): return [.perform(.open(who))]
        case .older:
            guard let oldest = try oldestShown(try open()) else { return [] }
            return [.perform(.older(conversation: try open().id, before: oldest))]
        case .search(let words): return [.perform(.search(words, conversation: try open().id))]
        case .who: return [.perform(.who)]
        case .expire(let seconds): return try expire(seconds, of: try open())
        case .room(let action): return [.perform(try request(for: action))]
        case .name(let name): return [.perform(.name(try peer(nil), name))]
        case .verify(let who, let number):
            let peer = try peer(who)
            return [.perform(number.map { .verify(peer, number: $0) } ?? .safetyNumber(peer, drawsCode: hasStatusRow))]
        case .trust(let action, let who): return [.perform(.trust(try peer(who), action: action))]
        case .react, .vote, .closePoll, .edit, .delete, .save: return [.perform(try change(action))]
        case .hide: return hide()
        case .show:
            hiddenCount = nil
            return place.map { [.perform(.open($0.id))] } ?? [.perform(.who)]
        case .lock: return [.perform(.lock)]
        case .help(.beginning): return [.show(ChatHelp.lines)]
        case .help(.rest): return [.show(ChatHelp.more)]
        case .help(.command(let verb)): return [.show(ChatHelp.lines(of: verb))]
        case .quit: return [.quit]
        }
    }

    /// Sets the disappearing-messages timer, or shows it.
    private func expire(_ seconds: Double?, of place: ChatConversation) throws(ChatMistake) -> [ChatEffect] {
        if let seconds { return [.perform(.expire(conversation: place.id, seconds: seconds))] }
        return [Self.note(TimerText.line(people.conversations[place.id]?.expiresAfter))]
    }

    /// Makes the request that changes a message.
    private func change(_ action: ChatAction) throws(ChatMistake) -> ChatRequest {
        switch action {
        case .react(let number, let emoji): return .react(try message(number).id, emoji: emoji)
        case .edit(let number, let text): return .edit(try message(number).id, text)
        case .delete(let number):
            let message = try message(number)
            return .delete(message.id, forEveryone: message.outgoing && message.system == nil)
        case .closePoll(let number): return .closePoll(try poll(number).id)
        case .vote(let number, let choices):
            let message = try poll(number)
            let count = message.poll?.options.count ?? 0
            guard choices.allSatisfy({ (1...count).contains($0) }) else {
                throw ChatMistake("Poll \(number) has choices 1 to \(count).")
            }
            return .vote(message.id, choices.map { $0 - 1 })
        case .save(let number, let folder):
            let message = try message(number)
            guard let files = message.files else { throw ChatMistake("Message \(number) has no attachments.") }
            return .save(message.id, fileCount: files.count, folder: folder)
        default: throw ChatMistake("There is nothing to do.")
        }
    }

    private mutating func hide() -> [ChatEffect] {
        hiddenCount = 0
        lastHeading = nil
        return [.clear]
    }

    private func request(for action: ChatAction.RoomAction) throws(ChatMistake) -> ChatRequest {
        switch action {
        case .list: return .rooms
        case .create(let title, let seconds): return .createRoom(title: title, seconds: seconds)
        case .join(let code, let name): return .joinRoom(code: code, name: name)
        case .leave(let title): return .leaveRoom(title)
        case .answer(let name, let admits):
            guard let place, place.kind == "room" else { throw ChatMistake("Open the room first: /dm room:TITLE.") }
            return .answerApplicant(room: place.id, name: name, admits: admits)
        }
    }

    private func open() throws(ChatMistake) -> ChatConversation {
        guard let place else { throw ChatMistake("No conversation is open. /dm WHO opens one, /who lists them.") }
        return place
    }

    /// Returns a message of the open conversation by its number.
    private func message(_ number: Int) throws(ChatMistake) -> MessageReply {
        guard let message = numbered[number] else { throw ChatMistake("No message has the number \(number).") }
        guard message.conversation == place?.id else { throw elsewhere(number, message.conversation) }
        return message
    }

    /// Makes the refusal of a number whose message is in another conversation.
    private func elsewhere(_ number: Int, _ conversation: String) -> ChatMistake {
        let title = title(of: conversation)
        let kind = people.conversations[conversation]?.kind ?? "direct"
        guard kind != "direct" else {
            return ChatMistake("Message \(number) is in your conversation with \(title): /dm \(title) first.")
        }
        return ChatMistake("Message \(number) is in the \(kind) \(title): /dm \(kind):\(title) first.")
    }

    private func poll(_ number: Int) throws(ChatMistake) -> MessageReply {
        let message = try message(number)
        guard message.poll != nil else { throw ChatMistake("Message \(number) is not a poll.") }
        return message
    }

    /// Returns the peer that a command is about: the named one, or the one of the open conversation.
    private func peer(_ who: String?) throws(ChatMistake) -> String {
        if let who { return who }
        guard let place, place.kind == "direct" else {
            throw ChatMistake("Give a name, or open a direct conversation first.")
        }
        return place.id
    }

    private func oldestShown(_ place: ChatConversation) throws(ChatMistake) -> String? {
        guard let oldest = numbered.oldest(of: place.id) else { throw ChatMistake("There are no older messages.") }
        return oldest
    }
}
