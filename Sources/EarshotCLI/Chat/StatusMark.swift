/// How far an own message has come, as a mark and a word.
enum StatusMark {
    /// The mark and the word; only the word for a status of a later release.
    static func text(_ status: String, reason: String? = nil) -> String {
        let reason = reason.map { ": \($0)" } ?? ""
        return switch status {
        case "queued": "○ queued"
        case "sent": "◌ sent"
        case "carried": "◑ carried"
        case "delivered": "✓ delivered"
        case "read": "✓✓ read"
        case "failed": "✗ failed\(reason)"
        default: DisplayText.safe(status)
        }
    }

    /// How it looks.
    static func style(_ status: String) -> TextStyle {
        switch status {
        case "delivered", "read": .good
        case "failed": .bad
        default: .dim
        }
    }

    /// Whether nothing more is to come.
    static func isFinal(_ status: String) -> Bool { status == "read" || status == "failed" }
}
