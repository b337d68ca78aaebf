import Bytes

/// A reader of the first Opus track of a WebM file, in the form that browsers record.
///
/// It enters the elements that hold others and skips the rest, so that one loop reads any nesting. Recorders do not
/// know sizes before the end, and leave them open. It reads no times: Opus packets carry their own.
///
/// Source: RFC 9559, 5.1; RFC 8794.
struct WebMReader {
    private struct Track {
        var number: UInt64?
        var isOpus = false
        var head: OpusHead?
    }

    private var track = Track()
    private var number: UInt64?
    private var recording: OpusRecording?
    private var endTrim = 0

    private static let codec: StaticString = "A_OPUS"
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000
    private static let lacingFlags: UInt8 = 0b0000_0110

    /// Reads the recording; nil if there is none, or if it is damaged before its first minute ends.
    static func read(_ bytes: [UInt8]) -> OpusRecording? {
        var input = ByteReader(bytes)
        var reader = WebMReader()
        while let element = EBMLElement(&input) {
            if reader.enters(element.name) { continue }
            guard let count = element.byteCount else { return nil }
            // A recorder that was killed leaves its last element unfinished.
            guard let body = input.take(count) else { break }
            guard reader.take(element.name, body) else { return nil }
            if reader.recording?.isCut == true { break }
        }
        reader.recording?.trimEnd(reader.endTrim)
        return reader.recording.flatMap { $0.sampleCount > 0 ? $0 : nil }
    }

    private mutating func enters(_ name: UInt32) -> Bool {
        switch name {
        case EBMLElement.Name.track: track = Track()
        case EBMLElement.Name.segment, EBMLElement.Name.tracks, EBMLElement.Name.cluster, EBMLElement.Name.blockGroup:
            break
        default: return false
        }
        return true
    }

    /// Takes an element that holds no others; false if the recording cannot be read.
    private mutating func take(_ name: UInt32, _ body: ArraySlice<UInt8>) -> Bool {
        switch name {
        case EBMLElement.Name.trackNumber: track.number = Self.unsigned(body)
        case EBMLElement.Name.codec: track.isOpus = body.begins(with: Self.codec)
        case EBMLElement.Name.encodings: return false
        case EBMLElement.Name.codecPrivate: track.head = OpusHead(body)
        case EBMLElement.Name.discardPadding: endTrim = Self.samples(body)
        case EBMLElement.Name.simpleBlock, EBMLElement.Name.block: return takeBlock(body)
        default: break
        }
        if recording == nil, track.isOpus, let head = track.head, let number = track.number {
            self.number = number
            recording = OpusRecording(head: head)
        }
        return true
    }

    private mutating func takeBlock(_ body: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(body)
        guard let track = EBMLElement.variable(&reader, limit: 8, keepsMarker: false), reader.skip(2),
            let flags = reader.byte()
        else { return false }
        guard track.value == number else { return true }
        guard flags & Self.lacingFlags == 0, let packet = reader.take(reader.remainingCount) else { return false }
        endTrim = 0
        return recording?.append(Array(packet)) ?? false
    }

    private static func unsigned(_ body: ArraySlice<UInt8>) -> UInt64? {
        body.count <= 8 ? body.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    /// Converts nanoseconds into samples; 0 if they are out of range.
    private static func samples(_ body: ArraySlice<UInt8>) -> Int {
        guard let value = unsigned(body), value < UInt64(nanosecondsPerSecond) else { return 0 }
        return Int((Int64(value) * Int64(VoiceLimits.sampleRate) + nanosecondsPerSecond / 2) / nanosecondsPerSecond)
    }
}
