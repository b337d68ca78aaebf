/// A writer of voice notes: one Opus stream in Ogg, with the same headers for all users.
///
/// Source: RFC 7845, 3 to 5.
struct OggWriter {
    private var bytes: [UInt8] = []
    private var pageCount: UInt32 = 0

    private static let firstFlag: UInt8 = 2
    private static let lastFlag: UInt8 = 4
    /// The number of the stream: a file with one stream needs no unique one.
    private static let serial: UInt32 = 1
    /// Units: samples; players seek to pages, so no page is longer than a second.
    private static let pageSampleCount = VoiceLimits.sampleRate
    private static let pageSegmentCount = 255

    static func write(_ recording: OpusRecording) -> [UInt8] {
        var writer = OggWriter()
        writer.writePage([recording.head.bytes], position: 0, flags: firstFlag)
        // This header has no vendor and no comments.
        writer.writePage([Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)], position: 0, flags: 0)
        var page: [[UInt8]] = []
        var (segmentCount, pageStart, position) = (0, 0, 0)
        for packet in recording.packets {
            let segments = packet.bytes.count / OggPage.segmentByteCount + 1
            let isFull =
                segmentCount + segments > pageSegmentCount
                || position + packet.sampleCount - pageStart > pageSampleCount
            if isFull, !page.isEmpty {
                writer.writePage(page, position: position, flags: 0)
                (page, segmentCount, pageStart) = ([], 0, position)
            }
            page.append(packet.bytes)
            segmentCount += segments
            position += packet.sampleCount
        }
        writer.writePage(page, position: position - recording.endTrim, flags: lastFlag)
        return writer.bytes
    }

    private mutating func writePage(_ packets: [[UInt8]], position: Int, flags: UInt8) {
        var page = Array("OggS".utf8) + [0, flags]
        page.appendLittle(Int64(position))
        page.appendLittle(Self.serial)
        page.appendLittle(pageCount)
        page.appendLittle(UInt32(0))
        let lengths = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        page.append(UInt8(lengths.count))
        page += lengths
        page += packets.joined()
        var checksum: [UInt8] = []
        checksum.appendLittle(OggChecksum.of(page))
        page.replaceSubrange(OggChecksum.place, with: checksum)
        bytes += page
        pageCount += 1
    }
}
