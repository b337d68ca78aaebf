import Bytes

/// A reader of the first Opus stream of an Ogg file.
///
/// Source: RFC 3533, 6 (pages); RFC 7845, 3 and 4 (Opus in Ogg).
struct OggReader {
    private var recording: OpusRecording?
    private var packet: [UInt8] = []
    private var packetCount = 0

    /// Reads the recording; nil if there is none, or if it is damaged before its end and within its first minute.
    static func read(_ bytes: [UInt8]) -> OpusRecording? {
        var input = ByteReader(bytes)
        var reader = OggReader()
        var serial: UInt32?
        while let page = OggPage(&input) {
            serial = serial ?? page.serial
            guard page.serial == serial else { continue }
            guard reader.take(page) else { return nil }
            if page.isLast || reader.recording?.isCut == true {
                reader.finish(page)
                return reader.result
            }
        }
        // A recorder that was killed wrote no last page.
        return input.isAtEnd ? reader.result : nil
    }

    private var result: OpusRecording? {
        recording.flatMap { $0.sampleCount > 0 ? $0 : nil }
    }

    private mutating func take(_ page: OggPage) -> Bool {
        if !page.isContinued { packet = [] }
        for segment in page.segments {
            packet += segment
            guard segment.count < OggPage.segmentByteCount else { continue }
            guard takePacket() else { return false }
            packet = []
        }
        return true
    }

    private mutating func takePacket() -> Bool {
        packetCount += 1
        switch packetCount {
        case 1:
            recording = OpusHead(packet[...]).map { OpusRecording(head: $0) }
            return recording != nil
        case 2: return packet.begins(with: "OpusTags")
        default: return recording?.append(packet) ?? false
        }
    }

    /// Takes the number of samples up to the end, which the last page tells.
    private mutating func finish(_ page: OggPage) {
        guard let recording, page.isLast, 0...Int64(recording.codedSampleCount) ~= page.position else { return }
        self.recording?.trimEnd(recording.codedSampleCount - Int(page.position))
    }
}
