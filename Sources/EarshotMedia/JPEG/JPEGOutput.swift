import Bytes

/// The form of a clean JPEG, which every file is checked against before it is returned.
///
/// Source: ITU-T T.81, B.2; T.871 (JFIF), 10; the Adobe segment, which says whether colours are separated, as
/// libjpeg writes it.
enum JPEGOutput {
    /// The header of JFIF 1.01: no unit of density, square pixels, no preview.
    private static let plainHeader: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    private static let adobeByteCount = 12

    /// Gives the file a plain header; nil if it is cut short or holds a segment that pictures do not need.
    static func tidied(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0xD8]), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
        var result = bytes
        var reader = ByteReader(bytes.dropFirst(2))
        while let segment = JPEGSegment(&reader) {
            switch segment.marker {
            case .startOfScan: return hasOnlyScans(reader) ? result : nil
            case .app0:
                guard segment.body.count == plainHeader.count, segment.body.begins(with: "JFIF\0") else { return nil }
                result.replaceSubrange(segment.body.startIndex..<segment.body.endIndex, with: plainHeader)
            case .app14:
                guard segment.body.count == adobeByteCount, segment.body.begins(with: "Adobe") else { return nil }
            case .quantisation, .huffmanTables, .restartInterval: break
            case let marker where marker.isFrame: break
            default: return nil
            }
        }
        return nil
    }

    /// Whether only tables stand between the scans, and nothing after the end.
    private static func hasOnlyScans(_ reader: ByteReader) -> Bool {
        var reader = reader
        while let byte = reader.byte() {
            guard byte == 0xFF, let code = reader.next, code != 0, !(0xD0...0xD7 ~= code) else { continue }
            guard let segment = JPEGSegment(codeIn: &reader) else { return false }
            switch segment.marker {
            case .endOfImage: return reader.isAtEnd
            case .startOfScan, .huffmanTables, .quantisation, .restartInterval: continue
            default: return false
            }
        }
        return false
    }
}
