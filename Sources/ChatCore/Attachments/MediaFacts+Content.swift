/// The encoding of the facts in a content.
///
/// Source: PROTOCOL §10.
extension MediaFacts {
    /// Reads the claim of a sender about a file; nil if it cannot be true.
    init?(_ claim: ProtoFile.OneOf_Media, of file: ProtoFile) {
        switch claim {
        case .picture(let picture):
            guard let facts = ImageFacts(width: Int(picture.width), height: Int(picture.height)) else { return nil }
            self = .image(facts)
        case .voice(let voice):
            guard
                let facts = VoiceFacts(milliseconds: Int(voice.duration), peaks: [UInt8](voice.peaks), isCut: voice.cut)
            else { return nil }
            self = .voice(facts)
        }
        guard allows(type: file.type, byteCount: file.size) else { return nil }
    }

    /// The encoded claim.
    var encoded: ProtoFile.OneOf_Media {
        switch self {
        case .image(let facts):
            var picture = ProtoPicture()
            picture.width = UInt32(facts.width)
            picture.height = UInt32(facts.height)
            return .picture(picture)
        case .voice(let facts):
            var voice = ProtoVoice()
            voice.duration = UInt32(facts.milliseconds)
            voice.peaks = .bytes(facts.peaks)
            voice.cut = facts.isCut
            return .voice(voice)
        }
    }
}
