import Foundation
import Testing

@testable import EarshotMedia

@Suite("Voice notes")
struct VoiceNoteTests {
    private func code(_ bytes: [UInt8]) -> MediaRefusal.Code? {
        do {
            _ = try VoiceNote(cleaning: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Ogg and WebM of the same packets give the same note, whoever recorded it", arguments: [1, 2])
    func containers(channelCount: Int) throws {
        let sample = try VoiceSample(milliseconds: 1_000, channelCount: channelCount)
        let note = try VoiceNote(cleaning: sample.ogg())
        #expect(try VoiceNote(cleaning: sample.webm()) == note)
        #expect(try VoiceNote(cleaning: sample.webm(isOpen: false)) == note)
        #expect(try VoiceNote(cleaning: sample.ogg(serial: 77)) == note)
        #expect(note.claim.durationMilliseconds == 993)
        #expect(note.claim.byteCount == note.bytes.count)
        #expect(!note.isCut)
    }

    @Test("Packets stay as they were; names, tags and covers are gone")
    func content() throws {
        let sample = try VoiceSample(milliseconds: 600)
        for recording in [sample.ogg(), sample.webm()] {
            #expect(recording.holdsSecret)
            let note = try VoiceNote(cleaning: recording)
            #expect(!note.bytes.holdsSecret)
            #expect(note.bytes.count < sample.packets.map(\.count).reduce(0, +) + 400)
            let back = try #require(OggReader.read(note.bytes))
            #expect(back.packets.map(\.bytes) == sample.packets)
            #expect(try VoiceNote(cleaning: note.bytes) == note)
        }
    }

    @Test("Padding in packets is removed")
    func padding() throws {
        var sample = VoiceSample(silentMilliseconds: 600)
        // A packet of one frame in the form with padding: flags, length of the padding, frame, padding.
        let secret = Planting.secretBytes
        sample.packets = sample.packets.map { [$0[0] | 3, 0b0100_0001, UInt8(secret.count), 1, 2, 3] + secret }
        #expect(sample.ogg().holdsSecret)
        let note = try VoiceNote(cleaning: sample.webm())
        #expect(!note.bytes.holdsSecret)
        #expect(OggReader.read(note.bytes)?.packets.map(\.sampleCount) == [Int](repeating: 2_880, count: 10))
    }

    @Test("What is not heard at the end is not counted, and stays unheard")
    func end() throws {
        let sample = try VoiceSample(milliseconds: 1_000)
        let ogg = try VoiceNote(cleaning: sample.ogg(position: 48_000 - 480))
        #expect(ogg.claim.durationMilliseconds == 983)
        #expect(try VoiceNote(cleaning: sample.webm(discard: 10_000_000)) == ogg)
        #expect(OggReader.read(ogg.bytes)?.endTrim == 480)
        for position in [-1, 0, 1, 47_040, 48_001, .max, .min] as [Int64] {
            #expect(try VoiceNote(cleaning: sample.ogg(position: position)).claim.durationMilliseconds == 993)
        }
    }

    @Test("A minute is kept whole, of more the first minute is kept", arguments: [59_940, 60_060, 60_120, 120_000])
    func minute(milliseconds: Int) throws {
        let packetCount = min(1_000, milliseconds / 60)
        let sample = VoiceSample(silentMilliseconds: milliseconds)
        for recording in [sample.ogg(), sample.webm()] {
            let note = try VoiceNote(cleaning: recording)
            #expect(note.isCut == (milliseconds > 60_000))
            #expect(note.claim.durationMilliseconds == packetCount * 60 - 7)
            #expect(OggReader.read(note.bytes)?.packets.count == packetCount)
            #expect(throws: Never.self) { try note.claim.check(note.bytes) }
        }
    }

    @Test("A recorder that was stopped hard leaves what it had written")
    func stopped() throws {
        let sample = try VoiceSample(milliseconds: 400)
        let webm = sample.webm()
        #expect(try VoiceNote(cleaning: Array(webm.dropLast(5))).claim.durationMilliseconds == 373)
        let ogg = sample.ogg()
        let pageCount = 27 + sample.packets[19].count / 255 + 1 + sample.packets[19].count
        #expect(try VoiceNote(cleaning: Array(ogg.dropLast(pageCount))).claim.durationMilliseconds == 373)
        #expect(code(Array(ogg.dropLast(5))) == .damaged)
    }

    @Test("Other streams of an Ogg file, and what follows the first, are not taken")
    func streams() throws {
        let sample = try VoiceSample(milliseconds: 200)
        let note = try VoiceNote(cleaning: sample.ogg())
        #expect(try VoiceNote(cleaning: sample.ogg() + sample.ogg(serial: 5) + Planting.secretBytes) == note)
        var pages = OggPages(serial: 9)
        pages.add([Planting.secretBytes], position: 0)
        let ogg = sample.ogg()
        let firstPage = 28 + 19
        #expect(try VoiceNote(cleaning: Array(ogg.prefix(firstPage)) + pages.bytes + ogg.dropFirst(firstPage)) == note)
    }

    @Test("Headers that are not of a voice are refused")
    func headers() throws {
        let sample = try VoiceSample(milliseconds: 200)
        var surround = sample
        surround.channelCount = 6
        let refused = [
            sample.ogg(head: sample.head(version: 16)), sample.ogg(head: sample.head(family: 1)), surround.ogg(),
            sample.ogg(head: sample.head(skip: 48_001)), sample.ogg(head: sample.head(skip: 9_600)),
            sample.ogg(head: Array("OpusHead".utf8)), sample.ogg(head: Array("vorbis".utf8)), surround.webm(),
        ]
        for bytes in refused { #expect(code(bytes) == .damaged) }
    }

    @Test("What is no Opus in Ogg or WebM is refused", arguments: [[], [1], Array("RIFF....WAVE".utf8)])
    func foreign(bytes: [UInt8]) {
        #expect(code(bytes) == .unsupportedFormat)
    }

    @Test("A recording of too many bytes is refused, from memory and from disk")
    func bytes() throws {
        let limit = VoiceLimits.recordingByteCount
        #expect(code([UInt8](repeating: 0, count: limit + 1)) == .tooManyBytes)
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "long.ogg")
        try Data(count: limit + 1).write(to: file)
        #expect(throws: MediaFile.tooManyBytes(limit: limit)) { try VoiceNote(cleaningFileAt: file) }
        try Data(VoiceSample(milliseconds: 200).ogg()).write(to: file)
        #expect(try VoiceNote(cleaningFileAt: file) == VoiceNote(cleaning: VoiceSample(milliseconds: 200).ogg()))
    }

    @Test("Blocks whose packets are laced, and packed tracks, are refused")
    func webm() throws {
        let sample = try VoiceSample(milliseconds: 200)
        let laced = sample.element(0xA3, [[0x82, 0, 0, 0x82] + sample.packets[0]])
        let packed = sample.element(0x6D80, [[0]])
        #expect(code(sample.webm() + laced) == .damaged)
        #expect(code(sample.webm() + packed) == .damaged)
        #expect(code(sample.webm() + sample.element(0xA3, [[0x82]])) == .damaged)
        // A packet whose first byte promises frames that do not exist.
        #expect(code(sample.webm() + sample.element(0xA3, [[0x82, 0, 0, 0x80, 3]])) == .damaged)
    }
}
