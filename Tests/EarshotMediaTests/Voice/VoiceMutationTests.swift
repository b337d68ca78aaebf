import Bytes
import Testing

@testable import EarshotMedia

@Suite("Changed recordings")
struct VoiceMutationTests {
    /// Checks that the output, if any, is within bounds, holds no secret, and is unchanged by a second cleaning.
    private func expectCleanOrRefused(_ bytes: [UInt8]) {
        guard let note = try? VoiceNote(cleaning: bytes) else { return }
        #expect(!note.bytes.holdsSecret)
        #expect(throws: Never.self) {
            try note.claim.check(note.bytes)
            _ = try VoiceClaim(
                durationMilliseconds: note.claim.durationMilliseconds,
                peaks: note.claim.peaks,
                byteCount: note.claim.byteCount
            )
        }
    }

    /// Corrects the page's checksum, so that changes pass it.
    private func repaired(_ ogg: [UInt8]) -> [UInt8] {
        var bytes = ogg
        var reader = ByteReader(ogg)
        var start = 0
        while reader.remainingCount > 27 {
            var ahead = reader
            guard ahead.skip(26), let count = ahead.byte(), let lengths = ahead.take(Int(count)) else { break }
            let size = 27 + lengths.count + lengths.reduce(0) { $0 + Int($1) }
            guard reader.skip(size) else { break }
            var checksum: [UInt8] = []
            checksum.appendLittle(OggChecksum.of(bytes[start..<start + size]))
            bytes.replaceSubrange(start + 22..<start + 26, with: checksum)
            start += size
        }
        return bytes
    }

    @Test("Every cut of a recording is refused or clean")
    func cuts() throws {
        let sample = try VoiceSample(milliseconds: 100)
        for recording in [try VoiceNote(cleaning: sample.ogg()).bytes, sample.webm()] {
            let last = min(recording.count, 400)
            for count in 0..<last { expectCleanOrRefused(Array(recording.prefix(count))) }
            for count in 0..<last { expectCleanOrRefused(Array(recording.dropLast(count))) }
        }
    }

    @Test("A recording with changed bytes is refused or clean", arguments: 0..<4)
    func mutants(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let sample = try VoiceSample(milliseconds: 100)
        let note = try VoiceNote(cleaning: sample.ogg()).bytes
        for recording in [note, sample.webm()] {
            for _ in 0..<150 {
                var bytes = recording
                for _ in 0..<Int.random(in: 1...5, using: &numbers) {
                    let place = Int.random(in: 0..<bytes.count, using: &numbers)
                    bytes[place] = UInt8.random(in: 0...255, using: &numbers)
                }
                expectCleanOrRefused(recording == note ? repaired(bytes) : bytes)
            }
        }
    }
}
