import Earshot
import EarshotRPC
import Foundation

/// How what happens while a conversation is being opened comes together with its page.
extension ChatState {
    /// Takes an event in, at once or with the page that it waits for.
    mutating func take(_ event: RPCEvent, at now: Date) -> [ChatEffect] {
        guard !awaited.names.isEmpty, let conversation = conversation(of: event) else { return receive(event, at: now) }
        // Which conversation a name means is known with its page: what came for one that was not open is shown then.
        let waits = conversation == place?.id && awaited.names.contains(conversation)
        awaited.add(event)
        let effects = waits ? [] : receive(event, at: now)
        guard awaited.isFull else { return effects }
        awaited.giveUp()
        return effects + merge(at: now)
    }

    /// Shows what has waited for an answer that is here.
    mutating func catchUp(with request: ChatRequest, at now: Date) -> [ChatEffect] {
        if request == .refresh {
            defer { knocks = [] }
            return knocks.map { knock($0) } + (unread.settle() ? [.perform(.refresh)] : [])
        }
        guard let name = request.opens, awaited.arrive(name) else { return [] }
        return merge(at: now)
    }

    private mutating func merge(at now: Date) -> [ChatEffect] {
        var rest = awaited
        let events = rest.take { conversation(of: $0) == place?.id }
        awaited = rest
        return events.flatMap { event -> [ChatEffect] in
            // The page has it as it stands, and it may have been changed since.
            if case .message(let message) = event, ledger.number(of: message.id) != nil { return [] }
            return receive(event, at: now)
        }
    }

    /// The conversation of the message that an event is about; nil for events that are about none.
    private func conversation(of event: RPCEvent) -> String? {
        switch event {
        case .message(let message), .changed(let message): message.conversation
        case .removed(let conversation, _): conversation
        case .status(let message, _, _): ledger[id: message]?.conversation ?? place?.id
        default: nil
        }
    }
}
