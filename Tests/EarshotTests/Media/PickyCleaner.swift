import Earshot
import Synchronization

@testable import ChatCore

/// A cleaner of a format of its own: what begins with 1 is a picture of as many pixels as bytes are left, what begins with
/// 2 a voice note; it drops all bytes above 127.
final class PickyCleaner: MediaCleaner {
    /// How many are at work now, and how many were at most.
    private let work = Mutex((present: 0, most: 0))
    /// Whether what comes is what its message says.
    let isBelieving: Bool

    init(isBelieving: Bool = true) {
        self.isBelieving = isBelieving
    }

    var mostAtOnce: Int { work.withLock { $0.most } }

    func cleanImage(_ bytes: [UInt8], longestEdge: Int?) throws(ChatError) -> CleanMedia {
        work.withLock { $0 = ($0.present + 1, max($0.most, $0.present + 1)) }
        defer { work.withLock { $0.present -= 1 } }
        let clean = bytes.filter { $0 < 128 }
        guard bytes.first == 1, let facts = ImageFacts(width: clean.count, height: longestEdge ?? 1) else {
            throw ChatError(.mediaRefused, "This is no picture. Draw another.")
        }
        return CleanMedia(bytes: clean, type: "image/png", facts: .image(facts))
    }

    func cleanVoice(_ bytes: [UInt8]) throws(ChatError) -> CleanMedia {
        let clean = bytes.filter { $0 < 128 }
        let peaks = [UInt8](repeating: 9, count: MediaLimits.voicePeakCount)
        guard bytes.first == 2, let facts = VoiceFacts(milliseconds: clean.count, peaks: peaks, isCut: true) else {
            throw ChatError(.mediaRefused, "This is no voice. Speak again.")
        }
        return CleanMedia(bytes: clean, type: MediaLimits.voiceType, facts: .voice(facts))
    }

    func check(_ bytes: [UInt8], type: String, against facts: MediaFacts) throws(ChatError) {
        guard isBelieving else { throw ChatError(.mediaRefused, "This is something else.") }
    }
}
