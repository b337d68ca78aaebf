import Testing

@testable import EarshotMedia

@Suite("What messages say about voice notes")
struct VoiceClaimTests {
    private static let peaks = [UInt8](repeating: 7, count: 64)

    @Test("What a voice note can be is taken", arguments: [(1, 1), (60_000, 4_194_304)])
    func bounds(milliseconds: Int, byteCount: Int) throws {
        let claim = try VoiceClaim(durationMilliseconds: milliseconds, peaks: Self.peaks, byteCount: byteCount)
        #expect((claim.durationMilliseconds, claim.byteCount, claim.peaks) == (milliseconds, byteCount, Self.peaks))
    }

    @Test(
        "What no voice note can be is refused",
        arguments: [
            (0, 64, 100), (60_001, 64, 100), (.max, 64, 100), (.min, 64, 100), (10, 63, 100), (10, 65, 100),
            (10, 0, 100), (10, 64, 0), (10, 64, 4_194_305), (10, 64, -1),
        ]
    )
    func outOfBounds(milliseconds: Int, peakCount: Int, byteCount: Int) {
        let refusal = #expect(throws: MediaRefusal.self) {
            try VoiceClaim(
                durationMilliseconds: milliseconds,
                peaks: [UInt8](repeating: 0, count: peakCount),
                byteCount: byteCount
            )
        }
        #expect(refusal?.code == .falseClaim)
    }

    @Test("A file that is another than was said is refused")
    func files() throws {
        let note = try VoiceNote(cleaning: VoiceSample(milliseconds: 400).ogg())
        #expect(throws: Never.self) { try note.claim.check(note.bytes) }
        func code(_ claim: VoiceClaim, _ bytes: [UInt8]) -> MediaRefusal.Code? {
            do {
                try claim.check(bytes)
                return nil
            } catch {
                return error.code
            }
        }
        let longer = try VoiceClaim(
            durationMilliseconds: note.claim.durationMilliseconds + 1,
            peaks: note.claim.peaks,
            byteCount: note.bytes.count
        )
        #expect(code(longer, note.bytes) == .falseClaim)
        #expect(code(note.claim, note.bytes + [0]) == .falseClaim)
        #expect(code(note.claim, [UInt8](repeating: 0, count: note.bytes.count)) == .damaged)
        var damaged = note.bytes
        damaged[damaged.count - 1] ^= 1
        #expect(code(note.claim, damaged) == .damaged)
        let long = VoiceSample(silentMilliseconds: 66_000).ogg()
        let cut = try VoiceClaim(durationMilliseconds: 59_933, peaks: Self.peaks, byteCount: long.count)
        #expect(code(cut, long) == .falseClaim)
    }
}
