import COpus

/// The packets of a recording, at most a minute of them, from any kind of file.
struct OpusRecording: Equatable {
    /// One packet, without its padding.
    struct Packet: Equatable {
        let bytes: [UInt8]
        /// Units: samples, 120 to 5,760.
        let sampleCount: Int
    }

    let head: OpusHead
    private(set) var packets: [Packet] = []
    /// Units: samples of all packets, including those that are discarded.
    private(set) var codedSampleCount = 0
    /// Units: samples at the end that are not heard, because packets have fixed lengths.
    private(set) var endTrim = 0
    /// Whether the recording was longer than a minute.
    private(set) var isCut = false

    init(head: OpusHead) {
        self.head = head
    }

    /// Units: samples that are heard.
    var sampleCount: Int { codedSampleCount - head.skip - endTrim }

    /// Units: milliseconds, at least 1.
    var durationMilliseconds: Int { max(1, sampleCount * 1_000 / VoiceLimits.sampleRate) }

    /// Takes the next packet; false if it is not an Opus packet.
    ///
    /// Packets after a minute only set ``isCut``. An empty packet, which stands for a lost one, is skipped.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        guard !isCut, !bytes.isEmpty else { return true }
        var bytes = bytes
        let sampleCount = Int(
            opus_packet_get_nb_samples(bytes, opus_int32(bytes.count), opus_int32(VoiceLimits.sampleRate))
        )
        guard sampleCount > 0 else { return false }
        let byteCount = Int(opus_packet_unpad(&bytes, opus_int32(bytes.count)))
        guard byteCount > 0 else { return false }
        guard codedSampleCount + sampleCount <= head.skip + VoiceLimits.sampleCount,
            packets.count < VoiceLimits.packetCount
        else {
            isCut = true
            return true
        }
        packets.append(Packet(bytes: Array(bytes.prefix(byteCount)), sampleCount: sampleCount))
        codedSampleCount += sampleCount
        return true
    }

    /// Takes the number of samples at the end that are not heard; only a part of the last packet can be trimmed.
    mutating func trimEnd(_ count: Int) {
        guard !isCut, let last = packets.last, 0..<last.sampleCount ~= count, sampleCount > count else { return }
        endTrim = count
    }
}
