import Testing

@testable import EarshotMedia

@Suite("Waveform")
struct WaveformTests {
    @Test("A tone that grows gives peaks that grow, from silence to full strength")
    func streamingReply() throws {
        let peaks = try VoiceNote(cleaning: VoiceSample(milliseconds: 2_000).ogg()).claim.peaks
        #expect(peaks.count == 64)
        for (index, peak) in peaks.enumerated() {
            #expect(abs(Int(peak) - 255 * (index + 1) / 64) <= 20)
        }
    }

    @Test("Silence has no peaks")
    func silence() throws {
        let note = try VoiceNote(cleaning: VoiceSample(silentMilliseconds: 600).ogg())
        #expect(note.claim.peaks == [UInt8](repeating: 0, count: 64))
    }

    @Test("Gain is in the peaks, and they stay within a byte", arguments: [(-20, 0.1), (20, 10)])
    func gain(decibel: Int, factor: Double) throws {
        let sample = try VoiceSample(milliseconds: 1_000)
        let plain = try VoiceNote(cleaning: sample.ogg()).claim.peaks
        let head = sample.head(gain: decibel * 256)
        let note = try VoiceNote(cleaning: sample.ogg(head: head))
        for (one, two) in zip(plain, note.claim.peaks) {
            #expect(abs(Double(two) - min(255, Double(one) * factor)) <= factor + 1)
        }
        #expect(OggReader.read(note.bytes)?.head.gain == Int16(decibel * 256))
    }

    @Test("A note shorter than its peaks are many still has them")
    func short() throws {
        var sample = VoiceSample(silentMilliseconds: 60)
        sample.packets = [[0]]
        let note = try VoiceNote(cleaning: sample.ogg(head: sample.head(skip: 479)))
        #expect(note.claim.durationMilliseconds == 1)
        #expect(note.claim.peaks.count == 64)
    }
}
