import CGIF

/// A writer of GIF files by giflib; it owns the library's object.
final class GIFWriter {
    private let sink = Sink()
    private var file: UnsafeMutablePointer<GifFileType>?

    private static let timingCode: CInt = 0xF9
    private static let programCode: CInt = 0xFF

    /// The bytes written so far.
    private final class Sink {
        var bytes: [UInt8] = []
    }

    /// Begins a file with the canvas and the palette of another.
    init?(screenOf reader: GIFReader) {
        var status: CInt = 0
        file = EGifOpen(
            Unmanaged.passUnretained(sink).toOpaque(),
            { file, buffer, count in
                guard let user = file?.pointee.UserData, count > 0 else { return 0 }
                let sink = Unmanaged<Sink>.fromOpaque(user).takeUnretainedValue()
                sink.bytes.append(contentsOf: UnsafeBufferPointer(start: buffer, count: Int(count)))
                return count
            },
            &status
        )
        guard let file else { return nil }
        EGifSetGifVersion(file, true)
        let screen = reader.file.pointee
        let described = EGifPutScreenDesc(
            file,
            screen.SWidth,
            screen.SHeight,
            8,
            screen.SBackGroundColor,
            screen.SColorMap
        )
        guard described == GIF_OK else { return nil }
    }

    deinit { close() }

    /// Writes the number of rounds of the animation.
    func write(rounds: UInt16) -> Bool {
        let data: [UInt8] = [1, UInt8(rounds & 0xFF), UInt8(rounds >> 8)]
        return EGifPutExtensionLeader(file, Self.programCode) == GIF_OK
            && EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK
            && EGifPutExtensionBlock(file, CInt(data.count), data) == GIF_OK
            && EGifPutExtensionTrailer(file) == GIF_OK
    }

    /// Writes a frame, with the rows that it reads from the reader one by one.
    func write(_ frame: GIFFrame, timing: GIFTiming?, from reader: GIFReader) -> Bool {
        if let timing {
            guard EGifPutExtension(file, Self.timingCode, CInt(timing.bytes.count), timing.bytes) == GIF_OK else {
                return false
            }
        }
        let status = EGifPutImageDesc(
            file,
            CInt(frame.left),
            CInt(frame.top),
            CInt(frame.width),
            CInt(frame.height),
            frame.isInterlaced,
            reader.file.pointee.Image.ColorMap
        )
        guard status == GIF_OK else { return false }
        var row = [UInt8](repeating: 0, count: frame.width)
        for _ in 0..<frame.height {
            guard reader.readRow(into: &row, colorCount: frame.colorCount),
                EGifPutLine(file, &row, CInt(row.count)) == GIF_OK
            else { return false }
        }
        return true
    }

    /// Writes the end and returns the whole file.
    func finish() -> [UInt8]? {
        close() ? sink.bytes : nil
    }

    @discardableResult
    private func close() -> Bool {
        guard let file else { return false }
        self.file = nil
        var status: CInt = 0
        return EGifCloseFile(file, &status) == GIF_OK
    }
}
