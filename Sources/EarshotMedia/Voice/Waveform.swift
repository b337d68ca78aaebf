import COpus
import Foundation

/// The waveform of a recording.
enum Waveform {
    /// Units: samples a second to decode at; most of the energy of speech lies below half of it.
    private static let sampleRate = 16_000
    /// Units: samples of the longest packet, 120 ms.
    private static let packetSampleCount = sampleRate * 120 / 1_000

    /// Returns the loudest sample of each part, from 0 to 255; nil if a packet cannot be decoded.
    static func peaks(of recording: OpusRecording) -> [UInt8]? {
        var status: CInt = 0
        let channelCount = recording.head.channelCount
        guard let decoder = opus_decoder_create(opus_int32(sampleRate), CInt(channelCount), &status) else { return nil }
        defer { opus_decoder_destroy(decoder) }
        var samples = [Float](repeating: 0, count: packetSampleCount * channelCount)
        var loudest = [Float](repeating: 0, count: VoiceLimits.peakCount)
        let (first, count) = (recording.head.skip / 3, max(1, recording.sampleCount / 3))
        var position = -first
        for packet in recording.packets {
            let decoded = Int(
                opus_decode_float(
                    decoder,
                    packet.bytes,
                    opus_int32(packet.bytes.count),
                    &samples,
                    CInt(packetSampleCount),
                    0
                )
            )
            guard decoded > 0 else { return nil }
            for index in 0..<decoded where 0..<count ~= position + index {
                let part = (position + index) * VoiceLimits.peakCount / count
                for channel in 0..<channelCount {
                    loudest[part] = max(loudest[part], abs(samples[index * channelCount + channel]))
                }
            }
            position += decoded
        }
        // The gain is in 1/256 dB; 20 dB are ten times as much.
        let gain = Float(pow(10, Double(recording.head.gain) / 256 / 20))
        return loudest.map { UInt8(min(1, $0 * gain) * 255) }
    }
}
