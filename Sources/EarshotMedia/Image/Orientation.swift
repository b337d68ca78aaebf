import Bytes

/// The turn that shows a stored picture upright; the numbers are those of Exif.
///
/// Source: Exif 2.32, 4.6.4, tag 0x0112; TIFF 6.0, section 2.
enum Orientation: UInt16, CaseIterable {
    case upright = 1
    case mirrored
    case upsideDown
    case flipped
    case transposed
    case turnedRight
    case transversed
    case turnedLeft

    private static let tag: UInt16 = 0x0112
    private static let shortType: UInt16 = 3

    /// Whether width and height change places.
    var swapsEdges: Bool { rawValue >= 5 }

    /// Reads the orientation in a TIFF structure, the form of Exif; upright if there is none that can be read.
    init(tiff: some Collection<UInt8>) {
        self = Self.read(Array(tiff)).flatMap(Self.init(rawValue:)) ?? .upright
    }

    /// Reads the orientation in Exif, with or without its name at the start.
    init(exif: some Collection<UInt8>) {
        self.init(tiff: exif.begins(with: "Exif\0\0") ? Array(exif.dropFirst(6)) : Array(exif))
    }

    private static func read(_ tiff: [UInt8]) -> UInt16? {
        let isLittle = tiff.begins(with: "II*\0")
        guard isLittle || tiff.begins(with: "MM\0*") else { return nil }
        var reader = ByteReader(tiff)
        func short() -> UInt16? { isLittle ? reader.littleEndian(UInt16.self) : reader.integer(UInt16.self) }
        guard reader.skip(4), let offset = isLittle ? reader.littleEndian(UInt32.self) : reader.integer(UInt32.self)
        else {
            return nil
        }
        reader = ByteReader(tiff.dropFirst(Int(offset)))
        guard let count = short() else { return nil }
        for _ in 0..<count {
            guard let tag = short(), let type = short(), reader.skip(4), let value = short(), reader.skip(2) else {
                return nil
            }
            if tag == Self.tag, type == shortType { return value }
        }
        return nil
    }
}
