import Earshot
import EarshotRPC
import Foundation

/// The merge of a conversation's page with the events that arrive while it is being opened.
extension ChatState {
    /// Processes an event, at once or with the page that it waits for.
    mutating func take(_ event: RPCEvent, at now: Date) -> [ChatEffect] {
        guard !awaited.names.isEmpty, let conversation = conversation(of: event) else { return receive(event, at: now) }
        // Only the page tells which conversation a name means. So an event of a conversation that is not open is
        // processed now, and once more with the page.
        let waits = conversation == place?.id && awaited.names.contains(conversation)
        awaited.add(event)
        let effects = waits ? [] : receive(event, at: now)
        guard awaited.isFull else { return effects }
        awaited.giveUp()
        return effects + merge(at: now)
    }

    /// Shows the events that waited for this answer.
    mutating func catchUp(with request: ChatRequest, at now: Date) -> [ChatEffect] {
        if request == .refresh {
            defer { joinRequests = [] }
            return joinRequests.map { joinRequest($0) } + (unread.settle() ? [.perform(.refresh)] : [])
        }
        guard let name = request.opens, awaited.arrive(name) else { return [] }
        return merge(at: now)
    }

    private mutating func merge(at now: Date) -> [ChatEffect] {
        var rest = awaited
        let events = rest.take { conversation(of: $0) == place?.id }
        awaited = rest
        return events.flatMap { event -> [ChatEffect] in
            // The page contains the message already; the event may hold an older version of it.
            if case .message(let message) = event, numbered.number(of: message.id) != nil { return [] }
            return receive(event, at: now)
        }
    }

    /// Returns the conversation of the message that an event is about; nil for other events.
    private func conversation(of event: RPCEvent) -> String? {
        switch event {
        case .message(let message), .changed(let message): message.conversation
        case .removed(let conversation, _): conversation
        case .status(let message, _, _): numbered[id: message]?.conversation ?? place?.id
        default: nil
        }
    }
}
