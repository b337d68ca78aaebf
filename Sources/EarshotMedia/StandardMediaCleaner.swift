public import Earshot

/// The media sanitizer of this module, for a node that sends pictures and voice notes.
public struct StandardMediaCleaner: MediaCleaner {
    private let images: ImageCleaner

    /// Makes a cleaner.
    public init() {
        images = ImageCleaner()
    }

    /// Strips a picture of everything but its visible content.
    ///
    /// - Throws: `mediaRefused`, with the reason.
    public func cleanImage(_ bytes: [UInt8], longestEdge: Int?) throws(ChatError) -> CleanMedia {
        do throws(MediaRefusal) {
            let clean = try images.clean(bytes, longestEdge: longestEdge)
            guard let facts = ImageFacts(width: clean.width, height: clean.height) else {
                throw MediaRefusal(.tooLarge, "The picture is too large. Make it smaller first.")
            }
            return CleanMedia(bytes: clean.bytes, type: clean.format.mediaType, facts: .image(facts))
        } catch {
            throw ChatError(error)
        }
    }

    /// Strips a recording of everything but its sound.
    ///
    /// - Throws: `mediaRefused`, with the reason.
    public func cleanVoice(_ bytes: [UInt8]) throws(ChatError) -> CleanMedia {
        do throws(MediaRefusal) {
            let note = try VoiceNote(cleaning: bytes)
            let claim = note.claim
            guard
                let facts = VoiceFacts(
                    milliseconds: claim.durationMilliseconds,
                    peaks: claim.peaks,
                    isCut: note.isCut
                )
            else { throw MediaRefusal.damagedRecording }
            return CleanMedia(bytes: note.bytes, type: VoiceNote.mediaType, facts: .voice(facts))
        } catch {
            throw ChatError(error)
        }
    }

    /// Compares a file with the claims of its message.
    ///
    /// - Throws: `mediaRefused` if they differ.
    public func check(_ bytes: [UInt8], type: String, against facts: MediaFacts) throws(ChatError) {
        do throws(MediaRefusal) {
            switch facts {
            case .image(let facts): try checkImage(bytes, type: type, facts)
            case .voice(let facts):
                try VoiceClaim(
                    durationMilliseconds: facts.milliseconds,
                    peaks: facts.peaks,
                    byteCount: bytes.count
                ).check(bytes)
            }
        } catch {
            throw ChatError(error)
        }
    }

    private func checkImage(_ bytes: [UInt8], type: String, _ facts: ImageFacts) throws(MediaRefusal) {
        let header = try ImageHeader(reading: bytes)
        guard header.format.mediaType == type, header.width == facts.width, header.height == facts.height else {
            throw MediaRefusal(
                .falseClaim,
                "The picture does not match the description in its message. Ask the sender to send it as a file."
            )
        }
    }
}

extension ChatError {
    /// Makes the error of a node for a refusal.
    init(_ refusal: MediaRefusal) {
        self.init(.mediaRefused, refusal.reason)
        limit = refusal.limit
    }
}
