import ChatCore
import ChatCrypto

/// The rooms of the newest messages, by the rooms' numbers in the registry.
///
/// Invariant: at most ``RoomRules/recentCount`` messages, a place each in both collections.
struct RecentMessages: Sendable {
    private var numbers: [MessageID: Int] = [:]
    /// The messages; the oldest is at `next` once all places are taken.
    private var places: [MessageID] = []
    private var next = 0

    /// The number of the room that a message is in; nil for an unknown message.
    subscript(message: MessageID) -> Int? { numbers[message] }

    /// Notes the room of a message, in place of the oldest message that is known.
    mutating func note(_ message: MessageID, in number: Int) {
        guard numbers.updateValue(number, forKey: message) == nil else { return }
        guard places.count == RoomRules.recentCount else { return places.append(message) }
        numbers[places[next]] = nil
        places[next] = message
        next = (next + 1) % places.count
    }

    /// Forgets the messages of a room.
    mutating func forget(_ number: Int) {
        let kept = (places[next...] + places[..<next]).filter { numbers[$0] != number }
        numbers = numbers.filter { $0.value != number }
        (places, next) = (kept, 0)
    }
}
