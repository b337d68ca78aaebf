import Bytes
import CGIF

/// A reader of GIF files by giflib; it owns the library's object.
final class GIFReader {
    private let source: Source
    let file: UnsafeMutablePointer<GifFileType>

    private static let timingCode: CInt = 0xF9
    private static let textCode: CInt = 0x01
    private static let programCode: CInt = 0xFF

    /// The bytes, and the position up to which they are read.
    private final class Source {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        func read(into buffer: UnsafeMutablePointer<GifByteType>?, count: CInt) -> CInt {
            let count = max(0, min(Int(count), bytes.count - position))
            bytes.withUnsafeBufferPointer {
                if let buffer, let start = $0.baseAddress { buffer.update(from: start + position, count: count) }
            }
            position += count
            return CInt(count)
        }
    }

    /// Reads the header; nil if it is damaged.
    init?(_ bytes: [UInt8]) {
        source = Source(bytes)
        var status: CInt = 0
        let file = DGifOpen(
            Unmanaged.passUnretained(source).toOpaque(),
            { file, buffer, count in
                guard let user = file?.pointee.UserData else { return 0 }
                return Unmanaged<Source>.fromOpaque(user).takeUnretainedValue().read(into: buffer, count: count)
            },
            &status
        )
        guard let file else { return nil }
        self.file = file
    }

    deinit {
        var status: CInt = 0
        DGifCloseFile(file, &status)
    }

    /// The size of the canvas.
    var width: Int { Int(file.pointee.SWidth) }
    var height: Int { Int(file.pointee.SHeight) }

    /// Reads the next record; nil if the file is damaged.
    func next() -> GIFRecord? {
        var kind = UNDEFINED_RECORD_TYPE
        guard DGifGetRecordType(file, &kind) == GIF_OK else { return nil }
        switch kind {
        case IMAGE_DESC_RECORD_TYPE: return DGifGetImageDesc(file) == GIF_OK ? frame().map(GIFRecord.frame) : nil
        case EXTENSION_RECORD_TYPE: return readExtension()
        case TERMINATE_RECORD_TYPE: return .end
        default: return nil
        }
    }

    /// Reads the next row of the frame; false if it is damaged or names colours that do not exist.
    func readRow(into row: inout [UInt8], colorCount: Int) -> Bool {
        DGifGetLine(file, &row, CInt(row.count)) == GIF_OK && row.allSatisfy { $0 < colorCount }
    }

    /// Reads all rows of the frame, and returns the indices in them; nil if a row is damaged.
    func readIndices(of frame: GIFFrame) -> Set<UInt8>? {
        var row = [UInt8](repeating: 0, count: frame.width)
        var isUsed = [Bool](repeating: false, count: 256)
        for _ in 0..<frame.height {
            guard readRow(into: &row, colorCount: frame.colorCount) else { return nil }
            for index in row { isUsed[Int(index)] = true }
        }
        return Set(isUsed.indices.filter { isUsed[$0] }.map { UInt8($0) })
    }

    /// The palette index of the canvas background.
    var background: Int { Int(file.pointee.SBackGroundColor) }

    /// Whether the frame that was read last has a palette of its own.
    var hasOwnPalette: Bool { file.pointee.Image.ColorMap != nil }

    /// Blackens all entries of the shared palette except these.
    func keepShared(_ indices: Set<UInt8>) { Self.keep(indices, of: file.pointee.SColorMap) }

    /// Blackens all entries of the last frame's own palette except these.
    func keepOwn(_ indices: Set<UInt8>) { Self.keep(indices, of: file.pointee.Image.ColorMap) }

    private static func keep(_ indices: Set<UInt8>, of palette: UnsafeMutablePointer<ColorMapObject>?) {
        guard let palette, let colors = palette.pointee.Colors else { return }
        for index in 0..<Int(palette.pointee.ColorCount) where !indices.contains(UInt8(clamping: index)) {
            colors[index] = GifColorType(Red: 0, Green: 0, Blue: 0)
        }
    }

    private func frame() -> GIFFrame? {
        let image = file.pointee.Image
        guard let map = image.ColorMap ?? file.pointee.SColorMap, image.Width > 0, image.Height > 0 else { return nil }
        return GIFFrame(
            left: Int(image.Left),
            top: Int(image.Top),
            width: Int(image.Width),
            height: Int(image.Height),
            isInterlaced: image.Interlace,
            colorCount: Int(map.pointee.ColorCount)
        )
    }

    private func readExtension() -> GIFRecord? {
        var code: CInt = 0
        var start: UnsafeMutablePointer<GifByteType>?
        guard DGifGetExtension(file, &code, &start) == GIF_OK else { return nil }
        let first = Self.block(start)
        var second: [UInt8]?
        while start != nil {
            guard DGifGetExtensionNext(file, &start) == GIF_OK else { return nil }
            second = second ?? Self.block(start)
        }
        switch code {
        case Self.timingCode: return first.flatMap { GIFTiming($0) }.map(GIFRecord.timing) ?? .other
        case Self.textCode: return .text
        case Self.programCode: return Self.rounds(first, second).map(GIFRecord.rounds) ?? .other
        default: return .other
        }
    }

    /// Copies a block, which begins with its length.
    private static func block(_ start: UnsafeMutablePointer<GifByteType>?) -> [UInt8]? {
        start.map { Array(UnsafeBufferPointer(start: $0 + 1, count: Int($0.pointee))) }
    }

    private static func rounds(_ name: [UInt8]?, _ data: [UInt8]?) -> UInt16? {
        guard let name, name.begins(with: "NETSCAPE2.0") || name.begins(with: "ANIMEXTS1.0"), let data else {
            return nil
        }
        var reader = ByteReader(data)
        return reader.byte() == 1 ? reader.littleEndian(UInt16.self) : nil
    }
}
