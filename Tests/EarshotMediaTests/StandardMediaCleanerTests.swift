import Earshot
import Testing

@testable import EarshotMedia

@Suite("The cleaner of a node")
struct StandardMediaCleanerTests {
    private let cleaner = StandardMediaCleaner()

    @Test("What the library takes from others is what the cleaner makes at most")
    func limits() {
        let limits = ImageLimits.standard
        #expect(limits.byteCount == MediaLimits.imageByteCount)
        #expect(limits.edge == MediaLimits.imageEdge)
        #expect(limits.pixelCount == MediaLimits.imagePixelCount)
        #expect(ImageFormat.allCases.map(\.mediaType).sorted() == MediaLimits.imageTypes)
        #expect(VoiceLimits.durationMilliseconds == MediaLimits.voiceMilliseconds)
        #expect(VoiceLimits.byteCount == MediaLimits.voiceByteCount)
        #expect(VoiceLimits.peakCount == MediaLimits.voicePeakCount)
        #expect(VoiceNote.mediaType == MediaLimits.voiceType)
        #expect(max(limits.byteCount, VoiceLimits.recordingByteCount) == MediaLimits.sourceByteCount)
    }

    @Test("A picture comes out with its type and size, smaller on wish, and passes the receiver's check")
    func image() throws {
        let picture = try Picture.png(.slopes(40, 30))
        let planted = Planting.chunks([("tEXt", Array("Author\0SECRET".utf8))], inPNG: picture)
        let clean = try cleaner.cleanImage(planted, longestEdge: nil)
        let facts = try #require(ImageFacts(width: 40, height: 30))
        #expect(clean == CleanMedia(bytes: picture, type: "image/png", facts: .image(facts)))
        #expect(throws: Never.self) { try cleaner.check(clean.bytes, type: clean.type, against: clean.facts) }
        let small = try cleaner.cleanImage(planted, longestEdge: 20)
        #expect(small.facts == ImageFacts(width: 20, height: 15).map(MediaFacts.image))
    }

    @Test("A picture that is another than was said is refused by the receiver")
    func falseImage() throws {
        let png = try Picture.png(.slopes(40, 30))
        let facts = try #require(ImageFacts(width: 40, height: 30).map(MediaFacts.image))
        let wider = try #require(ImageFacts(width: 41, height: 30).map(MediaFacts.image))
        let higher = try #require(ImageFacts(width: 40, height: 31).map(MediaFacts.image))
        let peaks = [UInt8](repeating: 0, count: VoiceLimits.peakCount)
        let voice = try #require(VoiceFacts(milliseconds: 9, peaks: peaks).map(MediaFacts.voice))
        let bomb = PNGChunk.file(PNGChunk.header(width: 2_147_483_647, height: 2_147_483_647))
        let cases: [([UInt8], String, MediaFacts)] = [
            (png, "image/png", wider), (png, "image/png", higher), (png, "image/jpeg", facts),
            (png, "audio/ogg", voice),
            (bomb, "image/png", facts), (Array("<svg/>".utf8), "image/png", facts), ([], "image/png", facts),
        ]
        for (bytes, type, facts) in cases {
            let error = #expect(throws: ChatError.self) { try cleaner.check(bytes, type: type, against: facts) }
            #expect(error?.code == .mediaRefused)
        }
        #expect(throws: Never.self) { try cleaner.check(png, type: "image/png", against: facts) }
    }

    @Test("A recording becomes a voice note with its waveform, a long one its first minute")
    func voice() throws {
        let note = try VoiceNote(cleaning: VoiceSample(milliseconds: 400).webm())
        let clean = try cleaner.cleanVoice(VoiceSample(milliseconds: 400).webm())
        let facts = VoiceFacts(milliseconds: note.claim.durationMilliseconds, peaks: note.claim.peaks)
        #expect(clean.facts == facts.map(MediaFacts.voice))
        #expect(clean.bytes == note.bytes && clean.type == "audio/ogg")
        #expect(throws: Never.self) { try cleaner.check(clean.bytes, type: clean.type, against: clean.facts) }
        #expect(throws: ChatError.self) {
            try cleaner.check(clean.bytes.dropLast(), type: clean.type, against: clean.facts)
        }

        let long = try cleaner.cleanVoice(VoiceSample(silentMilliseconds: 66_000).ogg())
        guard case .voice(let cut) = long.facts else { return #expect(Bool(false), "no voice note") }
        #expect(cut.isCut && cut.milliseconds > 59_900)
        #expect(throws: Never.self) { try cleaner.check(long.bytes, type: long.type, against: long.facts) }
    }

    @Test("A refusal tells why, what to do, and the limit")
    func refusals() throws {
        let heic = [0, 0, 0, 24] + Array("ftypheic".utf8)
        let refused = #expect(throws: ChatError.self) { try cleaner.cleanImage(heic, longestEdge: nil) }
        #expect(refused?.code == .mediaRefused)
        #expect(refused?.reason.contains("HEIC") == true && refused?.reason.contains("export it as JPEG") == true)
        let header = PNGChunk.file(PNGChunk.header(width: 16_385, height: 1))
        let large = #expect(throws: ChatError.self) { try cleaner.cleanImage(header, longestEdge: nil) }
        #expect(large?.limit == 16_384)
        let wave = #expect(throws: ChatError.self) { try cleaner.cleanVoice(Array("RIFF....WAVE".utf8)) }
        #expect(wave?.reason.contains("Opus") == true)
    }
}
