import Foundation

/// Texts that a hub chose, made fit for people.
package enum HubText {
    /// The reason of a hub that does not answer at all.
    package static let silence = "it is silent"

    /// The reason of a hub that lets nobody in and says nothing about it.
    package static let ended = "it ended the connection"

    /// Returns the text without control characters, and cut to what fits into a line.
    package static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        return String(String.UnicodeScalarView(visible.prefix(HubLimits.reasonScalarCount)))
    }
}
