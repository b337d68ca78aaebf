import EarshotRPC
import Foundation

/// The presence of a contact in words, the same in each list.
enum PresenceText {
    /// Returns the words: in reach, heard some time ago, or not heard yet.
    static func words(_ contact: ContactReply, now: Date) -> String {
        if contact.reachable { return "in reach" }
        guard let lastSeen = contact.lastSeen else { return "not heard yet" }
        return "heard \(TimeText.span(seconds: max(now.timeIntervalSince(lastSeen), 1))) ago"
    }
}
