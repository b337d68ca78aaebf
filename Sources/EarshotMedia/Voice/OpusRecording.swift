import COpus

/// The packets of a recording, at most a minute of them, whatever file they came in.
struct OpusRecording: Equatable {
    /// One packet, its padding removed.
    struct Packet: Equatable {
        let bytes: [UInt8]
        /// Units: samples, 120 to 5,760.
        let sampleCount: Int
    }

    let head: OpusHead
    private(set) var packets: [Packet] = []
    /// Units: samples of all packets, those that are thrown away included.
    private(set) var codedSampleCount = 0
    /// Units: samples at the end that are not heard, for packets have fixed lengths.
    private(set) var endTrim = 0
    /// Whether there was more than a minute.
    private(set) var isCut = false

    init(head: OpusHead) {
        self.head = head
    }

    /// Units: samples that are heard.
    var sampleCount: Int { codedSampleCount - head.skip - endTrim }

    /// Units: milliseconds, at least 1.
    var durationMilliseconds: Int { max(1, sampleCount * 1_000 / VoiceLimits.sampleRate) }

    /// Takes the next packet; false if it is none.
    ///
    /// What comes after a minute is only noted, and an empty packet, which stands for a lost one, is passed over.
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

    /// Takes what the end of the file says about samples that are not heard; only a part of the last packet can be.
    mutating func trimEnd(_ count: Int) {
        guard !isCut, let last = packets.last, 0..<last.sampleCount ~= count, sampleCount > count else { return }
        endTrim = count
    }
}
