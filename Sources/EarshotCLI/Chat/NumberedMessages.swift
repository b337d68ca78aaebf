import Earshot
import EarshotRPC

/// The messages that were shown, by the short numbers beside them.
///
/// Bounded by ``messageCount``; the numbers of older messages become invalid.
struct NumberedMessages: Sendable {
    static let messageCount = 2_000

    private var messages: [Int: MessageReply] = [:]
    private var numbers: [String: Int] = [:]
    private var next = 1

    /// Returns the number of a message, a new one if it has none, and keeps the present version of the message.
    mutating func number(of message: MessageReply) -> Int {
        let number = numbers[message.id] ?? next
        if number == next {
            next += 1
            numbers[message.id] = number
            if let oldest = messages.removeValue(forKey: number - Self.messageCount) { numbers[oldest.id] = nil }
        }
        messages[number] = message
        return number
    }

    /// Returns the number of a message; nil if it has none.
    func number(of id: String) -> Int? { numbers[id] }

    /// The message of a number, as it was shown last.
    subscript(number: Int) -> MessageReply? { messages[number] }

    /// A message by its id, as it was shown last.
    subscript(id id: String) -> MessageReply? { numbers[id].flatMap { messages[$0] } }

    /// Returns the id of the oldest message of a conversation that has a number.
    func oldest(of conversation: String) -> String? {
        messages.filter { $0.value.conversation == conversation }
            .min { (MessageBubble.moment(of: $0.value), $0.key) < (MessageBubble.moment(of: $1.value), $1.key) }?.value
            .id
    }

    /// Keeps the present version of a message that has a number.
    mutating func update(_ message: MessageReply) {
        if let number = numbers[message.id] { messages[number] = message }
    }

    /// Forgets all messages; the next number stays.
    mutating func forget() {
        (messages, numbers) = ([:], [:])
    }
}
