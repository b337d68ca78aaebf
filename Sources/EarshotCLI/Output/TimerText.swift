/// The disappearing-messages timer of a conversation as a sentence.
enum TimerText {
    /// Makes the sentence.
    ///
    /// - Parameter seconds: The time after which messages disappear; nil for never.
    static func line(_ seconds: Double?) -> String {
        guard let seconds, seconds > 0 else { return "New messages stay: disappearing messages are off." }
        return "New messages disappear \(TimeText.words(seconds: seconds)) after they are read."
    }
}
