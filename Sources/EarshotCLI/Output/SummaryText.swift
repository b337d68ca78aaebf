import Earshot
import EarshotRPC

/// One line that stands for a message in a list.
enum SummaryText {
    /// Makes the line.
    ///
    /// - Parameters:
    ///   - kind: The word for the conversation: a `group` or a `room`.
    ///   - own: The ids of this node.
    static func line(_ message: MessageReply, in kind: String, own: Set<String>) -> String {
        if message.deleted { return "Deleted message" }
        if let poll = message.poll { return "Poll: \(poll.question)" }
        if let system = message.system { return line(of: system, in: message, kind, own) }
        let file = message.files?.first
        switch message.kind {
        case "voice": return "Voice note"
        case "image": return message.text.isEmpty ? "Picture" : "Picture: \(message.text)"
        case "file": return message.text.isEmpty ? "File: \(file?.name ?? "")" : message.text
        default: return message.text
        }
    }

    private static func line(
        of system: SystemReply,
        in message: MessageReply,
        _ kind: String,
        _ own: Set<String>
    ) -> String {
        let author = message.outgoing ? "You" : message.fromName
        let other = system.peer.map(own.contains) == true ? "you" : system.name ?? ""
        switch system.event {
        case "founded": return "\(author) created the \(kind)"
        case "added": return "\(author) added \(other)"
        case "removed": return "\(author) removed \(other)"
        case "left": return "\(author) left"
        case "renamed": return "\(author) renamed the \(kind) to \(system.title ?? "")"
        case "handedOver": return "\(author) handed the \(kind) over to \(other)"
        default:
            let seconds = system.expiresAfter ?? 0
            guard seconds > 0 else { return "\(author) turned disappearing messages off" }
            return "\(author) set messages to disappear \(TimeText.words(seconds: seconds)) after they are read"
        }
    }
}
