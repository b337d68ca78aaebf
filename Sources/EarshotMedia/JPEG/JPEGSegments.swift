import Bytes

/// The segments of a JPEG up to its first scan: the facts that are needed before a library reads it.
///
/// Source: ITU-T T.81, B.1 and B.2; ICC.1:2022, B.4 (profiles in JPEG); Exif 2.32, 4.5.4.
struct JPEGSegments {
    /// Units: pixels as stored; nil if no frame header came before the first scan.
    private(set) var size: (width: Int, height: Int)?
    /// Whether the picture comes in scans of growing detail.
    private(set) var isProgressive = false
    private(set) var orientation = Orientation.upright
    private var hasExif = false
    private var profileParts: [UInt8: ArraySlice<UInt8>] = [:]
    private var profilePartCount: UInt8?

    private static let exifMark: StaticString = "Exif\0\0"
    private static let profileMark: StaticString = "ICC_PROFILE\0"

    /// Reads until the bytes make no more sense.
    init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes.dropFirst(2))
        while let segment = JPEGSegment(&reader), segment.marker != .startOfScan, segment.marker != .endOfImage {
            take(segment)
        }
    }

    /// Joins the parts of the colour profile; nil if there is none, or if a part is missing.
    ///
    /// - Throws: `unsupportedColor` if it is longer than any simple profile.
    func profile() throws(MediaRefusal) -> [UInt8]? {
        guard let count = profilePartCount, count > 0 else { return nil }
        let parts = (1...count).compactMap { profileParts[$0] }
        guard parts.count == count else { return nil }
        let profile = [UInt8](parts.joined())
        guard profile.count <= ImageLimits.profileByteCount else { throw .unsupportedColor }
        return profile
    }

    private mutating func take(_ segment: JPEGSegment) {
        let body = segment.body
        switch segment.marker {
        case .app1 where body.begins(with: Self.exifMark) && !hasExif:
            hasExif = true
            orientation = Orientation(exif: body)
        case .app2 where body.begins(with: Self.profileMark):
            var reader = ByteReader(body.dropFirst(12))
            guard let number = reader.byte(), let count = reader.byte() else { return }
            profilePartCount = profilePartCount ?? count
            profileParts[number] = body.dropFirst(14)
        case let marker where marker.isFrame && size == nil:
            var reader = ByteReader(body.dropFirst(1))
            guard let height = reader.integer(UInt16.self), let width = reader.integer(UInt16.self) else { return }
            size = (Int(width), Int(height))
            isProgressive = marker == .progressive
        default: break
        }
    }
}

/// One segment: its marker, and its bytes after the length.
struct JPEGSegment {
    /// The second byte of a marker.
    struct Marker: Equatable {
        let code: UInt8

        static let progressive = Marker(code: 0xC2)
        static let huffmanTables = Marker(code: 0xC4)
        static let endOfImage = Marker(code: 0xD9)
        static let startOfScan = Marker(code: 0xDA)
        static let quantisation = Marker(code: 0xDB)
        static let restartInterval = Marker(code: 0xDD)
        static let app0 = Marker(code: 0xE0)
        static let app1 = Marker(code: 0xE1)
        static let app2 = Marker(code: 0xE2)
        static let app14 = Marker(code: 0xEE)

        /// Whether a frame header follows; 0xC4, 0xC8 and 0xCC have other meanings.
        var isFrame: Bool { 0xC0...0xCF ~= code && code & 3 != 0 || code == 0xC0 }

        /// Whether it stands alone, with no length after it.
        var isAlone: Bool { 0xD0...0xD9 ~= code || code == 0x01 }
    }

    let marker: Marker
    let body: ArraySlice<UInt8>

    /// Reads the next segment; bytes before its marker are skipped, as in every decoder.
    init?(_ reader: inout ByteReader) {
        while let byte = reader.next, byte != 0xFF { _ = reader.byte() }
        self.init(codeIn: &reader)
    }

    /// Reads the next segment from the second byte of its marker on.
    init?(codeIn reader: inout ByteReader) {
        while reader.next == 0xFF { _ = reader.byte() }
        guard let code = reader.byte() else { return nil }
        marker = Marker(code: code)
        guard !marker.isAlone else {
            body = []
            return
        }
        guard let length = reader.integer(UInt16.self), let body = reader.take(Int(length) - 2) else { return nil }
        self.body = body
    }
}
