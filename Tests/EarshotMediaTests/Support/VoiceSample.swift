import COpus
import Foundation
import Testing

@testable import EarshotMedia

/// A recording whose packets libopus made, in containers that the tests write.
struct VoiceSample {
    /// Units: samples to discard, as libopus requires at 48 kHz.
    static let skip = 312

    var packets: [[UInt8]]
    var channelCount = 1

    /// Encodes a tone that grows from silence to full strength.
    init(milliseconds: Int, packetMilliseconds: Int = 20, channelCount: Int = 1) throws {
        var status: CInt = 0
        let encoder = try #require(opus_encoder_create(48_000, CInt(channelCount), OPUS_APPLICATION_AUDIO, &status))
        defer { opus_encoder_destroy(encoder) }
        let frameCount = 48 * packetMilliseconds
        let total = Float(48 * milliseconds)
        packets = (0..<milliseconds / packetMilliseconds).map { index in
            let samples = (0..<frameCount * channelCount).map { place -> Float in
                let time = Float(index * frameCount + place / channelCount)
                return sin(time * 2 * .pi * 440 / 48_000) * time / total
            }
            var packet = [UInt8](repeating: 0, count: 4_000)
            let count = opus_encode_float(encoder, samples, CInt(frameCount), &packet, opus_int32(packet.count))
            return Array(packet.prefix(max(0, Int(count))))
        }
        self.channelCount = channelCount
    }

    /// Makes packets of silence that any decoder accepts: of 60 ms each, of one byte.
    init(silentMilliseconds milliseconds: Int) {
        packets = [[UInt8]](repeating: [0b0001_1000], count: milliseconds / 60)
    }

    func head(version: UInt8 = 1, skip: Int = skip, gain: Int = 0, family: UInt8 = 0) -> [UInt8] {
        Array("OpusHead".utf8) + [version, UInt8(channelCount)] + little(skip) + [0x44, 0xAC, 0, 0] + little(gain)
            + [family]
    }

    /// Makes an Ogg file with a vendor, comments and a cover.
    func ogg(head: [UInt8]? = nil, position: Int64? = nil, serial: UInt32 = 0xDEAD_BEEF) -> [UInt8] {
        let cover = [UInt8](repeating: 0x53, count: 70_000)
        let tags =
            Array("OpusTags".utf8) + field("SECRET-vendor") + [2, 0, 0, 0] + field("ARTIST=SECRET") + field(cover)
        var pages = OggPages(serial: serial)
        pages.add([head ?? self.head()], position: 0, flags: 2)
        pages.add([tags], position: 0)
        var count: Int64 = 0
        for (index, packet) in packets.enumerated() {
            count += Int64(opus_packet_get_nb_samples(packet, opus_int32(packet.count), 48_000))
            let isLast = index == packets.count - 1
            pages.add([packet], position: isLast ? position ?? count : count, flags: isLast ? 4 : 0)
        }
        return pages.bytes
    }

    private func field(_ text: String) -> [UInt8] { field(Array(text.utf8)) }

    private func field(_ bytes: [UInt8]) -> [UInt8] {
        little(bytes.count & 0xFFFF) + little(bytes.count >> 16) + bytes
    }

    /// Makes a WebM file as a browser streams it: open sizes, blocks in clusters of ten, names of programs.
    func webm(discard nanoseconds: Int = 0, isOpen: Bool = true) -> [UInt8] {
        let info = element(
            0x1549_A966,
            [
                element(0x2A_D7B1, [[0x0F, 0x42, 0x40]]), element(0x4D80, [Array("SECRET-muxer".utf8)]),
                element(0x5741, [Array("SECRET-app".utf8)]),
            ]
        )
        let audio = element(0xE1, [element(0xB5, [[0x47, 0x3B, 0x80, 0]]), element(0x9F, [[UInt8(channelCount)]])])
        let video = element(0xAE, [element(0xD7, [[1]]), element(0x86, [Array("V_VP8".utf8)])])
        let track = element(
            0xAE,
            [
                element(0xD7, [[2]]), element(0x73C5, [Array("SECRETid".utf8)]), element(0x83, [[2]]),
                element(0x86, [Array("A_OPUS".utf8)]), element(0x63A2, [head()]), audio,
            ]
        )
        let tags = element(0x1254_C367, [Array("SECRET-tags".utf8)])
        let clusters = stride(from: 0, to: packets.count, by: 10).flatMap { start -> [UInt8] in
            let end = min(start + 10, packets.count)
            let blocks = (start..<end).map { index in
                block(packets[index], discard: index == packets.count - 1 ? nanoseconds : 0)
            }
            return element(
                0x1F43_B675,
                [element(0xE7, [[0]]), element(0xA3, [[0x81, 0, 0, 0x80, 1, 2, 3]])] + blocks,
                isOpen: isOpen
            )
        }
        let header = element(0x1A45_DFA3, [element(0x4282, [Array("webm".utf8)])])
        return header
            + element(0x1853_8067, [info, element(0x1654_AE6B, [video, track]), tags, clusters], isOpen: isOpen)
    }

    private func block(_ packet: [UInt8], discard nanoseconds: Int) -> [UInt8] {
        let body: [UInt8] = [0x82, 0, 0, 0x80] + packet
        guard nanoseconds > 0 else { return element(0xA3, [body]) }
        let discard = [24, 16, 8, 0].map { UInt8(nanoseconds >> $0 & 0xFF) }
        return element(0xA0, [element(0xA1, [body]), element(0x75A2, [discard])])
    }

    /// Encodes an element of WebM, with its size in four bytes or open.
    func element(_ name: UInt32, _ parts: [[UInt8]], isOpen: Bool = false) -> [UInt8] {
        let body = Array(parts.joined())
        let names = [24, 16, 8, 0].map { UInt8(name >> $0 & 0xFF) }.drop { $0 == 0 }
        let size: [UInt8] =
            isOpen
            ? [0x01] + [UInt8](repeating: 0xFF, count: 7)
            : [0x10 | UInt8(body.count >> 24), UInt8(body.count >> 16 & 0xFF)] + little(body.count).reversed()
        return names + size + body
    }
}

/// A writer of Ogg pages; a packet that does not fit continues on the next page.
struct OggPages {
    let serial: UInt32
    private(set) var bytes: [UInt8] = []
    private var count: UInt32 = 0

    init(serial: UInt32) {
        self.serial = serial
    }

    mutating func add(_ packets: [[UInt8]], position: Int64, flags: UInt8 = 0) {
        var segments = packets.flatMap { packet -> [ArraySlice<UInt8>] in
            let whole = stride(from: 0, to: packet.count - packet.count % 255, by: 255).map { packet[$0..<$0 + 255] }
            return whole + [packet.suffix(packet.count % 255)]
        }
        var isFirst = true
        repeat {
            let some = segments.prefix(255)
            segments.removeFirst(some.count)
            addPage(Array(some), position: position, flags: flags | (isFirst ? 0 : 1))
            isFirst = false
        } while !segments.isEmpty
    }

    private mutating func addPage(_ segments: [ArraySlice<UInt8>], position: Int64, flags: UInt8) {
        var page = Array("OggS".utf8) + [0, flags]
        page.appendLittle(position)
        page.appendLittle(serial)
        page.appendLittle(count)
        page += [0, 0, 0, 0, UInt8(segments.count)] + segments.map { UInt8($0.count) } + segments.joined()
        var checksum: [UInt8] = []
        checksum.appendLittle(OggChecksum.of(page))
        page.replaceSubrange(22..<26, with: checksum)
        bytes += page
        count += 1
    }
}
