public import Earshot

/// What `Earshot` needs of this module: the cleaner of a node that sends pictures and voice notes.
public struct StandardMediaCleaner: MediaCleaner {
    private let images: ImageCleaner

    /// Makes a cleaner.
    public init() {
        images = ImageCleaner()
    }

    /// The picture with nothing but what is seen.
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

    /// The recording with nothing but what is heard.
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

    /// Compares a file with what its message says of it.
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
                "The picture is not the one that its message describes. Ask its sender for it as a file."
            )
        }
    }
}

extension ChatError {
    /// A refusal as a node tells it.
    init(_ refusal: MediaRefusal) {
        self.init(.mediaRefused, refusal.reason)
        limit = refusal.limit
    }
}
