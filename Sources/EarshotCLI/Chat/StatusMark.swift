/// The delivery status of an own message, as a mark and a word.
enum StatusMark {
    /// Returns the mark and the word; only the word for a status of a later release.
    ///
    /// - Parameter isSampled: Whether only a sample of a large group confirms the message.
    static func text(_ status: String, reason: String? = nil, isSampled: Bool = false) -> String {
        let sample = isSampled ? " (sampled)" : ""
        let reason = reason.map { ": \($0)" } ?? ""
        return switch status {
        case "queued": "○ queued"
        case "sent": "◌ sent"
        case "carried": "◑ carried"
        case "delivered": "✓ delivered\(sample)"
        case "read": "✓✓ read\(sample)"
        case "failed": "✗ failed\(reason)"
        default: DisplayText.safe(status)
        }
    }

    /// Returns the style of a status.
    static func style(_ status: String) -> TextStyle {
        switch status {
        case "delivered", "read": .good
        case "failed": .bad
        default: .dim
        }
    }

    /// Whether the status is final.
    static func isFinal(_ status: String) -> Bool { status == "read" || status == "failed" }
}
