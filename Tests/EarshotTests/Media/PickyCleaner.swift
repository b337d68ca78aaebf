import Earshot
import Synchronization

@testable import ChatCore

/// A media sanitizer of a format of its own.
///
/// Bytes that begin with 1 are a picture with as many pixels as bytes remain. Bytes that begin with 2 are a voice note.
/// The sanitizer drops all bytes above 127.
final class PickyCleaner: MediaCleaner {
    /// The number of calls at work now, and the highest number so far.
    private let work = Mutex((present: 0, most: 0))
    /// Whether the sanitizer accepts the facts that a message states about its file.
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
