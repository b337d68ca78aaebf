public import ChatCore
public import Foundation

extension Timestamp {
    /// Takes the nearest millisecond; 1970 for a date that is not a number.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.init(clamping: milliseconds > 0 ? UInt64(exactly: min(milliseconds, 1e15)) ?? 0 : 0)
    }

    /// The moment as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// The moment as RFC 3339 with milliseconds in UTC.
    package var text: String {
        // The half millisecond keeps a fraction just below a millisecond from being truncated to the one before.
        Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension ChatTime {
    /// The wall clock's moment.
    package var date: Date { Timestamp(clamping: wall).date }
}

extension Message {
    /// The sender's clock when the message was written.
    public var sentAt: Date { sentTime.date }
    /// This node's clock when the message came; for an outgoing message, the time of writing.
    public var receivedAt: Date { receivedTime.date }
    /// The time at which the message disappears on this node; nil if it stays, or has not been read here.
    public var expiresAt: Date? { expiryTime?.date }
}

extension EarlierText {
    /// The author's clock when the text was written.
    public var sentAt: Date { sentTime.date }
}

extension Contact {
    /// The last time that something came from the contact.
    public var lastSeen: Date? { lastSeenTime?.date }
}

extension Conversation {
    /// The end of the time for which the conversation is muted; nil if it is not muted.
    public var mutedUntil: Date? { muteEnd?.date }
}

extension Room {
    /// The room's end by this node's clock; nil for never.
    public var endsAt: Date? { endTime?.date }
}

extension HistorySpan.Edge {
    /// Makes an edge at a moment by this node's clock.
    public static func time(_ date: Date) -> HistorySpan.Edge { .moment(Timestamp(date)) }
}

extension Duration {
    /// A short time in seconds, to the microsecond.
    package var fractionalSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds / 1_000_000_000_000) / 1_000_000
    }
}

extension JSONEncoder {
    /// An encoder of one line of JSON: sorted keys, times in UTC with milliseconds.
    package static var ofLines: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp(date).text)
        }
        return encoder
    }
}
