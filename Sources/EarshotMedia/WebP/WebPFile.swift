import CWebP

/// A WebP file that libwebpmux takes apart or assembles; it owns the library's object.
///
/// The library copies the source bytes, so that the file stands on its own.
struct WebPFile: ~Copyable {
    private let mux: OpaquePointer

    /// Takes a file apart; nil if it breaks the rules of the format.
    init?(reading bytes: [UInt8]) {
        let mux = bytes.withUnsafeBufferPointer { buffer in
            var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return WebPMuxCreateInternal(&data, 1, WEBP_MUX_ABI_VERSION)
        }
        guard let mux else { return nil }
        self.mux = mux
    }

    /// Makes an empty file.
    init?() {
        guard let mux = WebPNewInternal(WEBP_MUX_ABI_VERSION) else { return nil }
        self.mux = mux
    }

    deinit { WebPMuxDelete(mux) }

    /// Whether it has frames instead of one picture.
    var isAnimated: Bool {
        var flags: UInt32 = 0
        return WebPMuxGetFeatures(mux, &flags) == WEBP_MUX_OK && flags & ANIMATION_FLAG.rawValue != 0
    }

    /// The size of the canvas.
    var size: (width: Int, height: Int)? {
        var (width, height): (CInt, CInt) = (0, 0)
        guard WebPMuxGetCanvasSize(mux, &width, &height) == WEBP_MUX_OK, width > 0, height > 0 else { return nil }
        return (Int(width), Int(height))
    }

    /// The background and the number of rounds.
    var animation: WebPMuxAnimParams? {
        var parameters = WebPMuxAnimParams()
        return WebPMuxGetAnimationParams(mux, &parameters) == WEBP_MUX_OK ? parameters : nil
    }

    /// Calls `body` with the frame at `index`, which is valid during the call; a still file has its picture as the only
    /// frame.
    func withFrame<Result>(
        _ index: Int,
        _ body: (inout WebPMuxFrameInfo, UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        var frame = WebPMuxFrameInfo()
        // The library counts from 1; 0 is the last frame.
        guard WebPMuxGetFrame(mux, UInt32(index) + 1, &frame) == WEBP_MUX_OK, let start = frame.bitstream.bytes else {
            return nil
        }
        defer { WebPFree(UnsafeMutablePointer(mutating: start)) }
        return body(&frame, UnsafeRawBufferPointer(start: start, count: frame.bitstream.size))
    }

    /// Makes it an animation; the frames follow.
    func begin(_ animation: WebPMuxAnimParams, width: Int, height: Int) -> Bool {
        var parameters = animation
        return WebPMuxSetAnimationParams(mux, &parameters) == WEBP_MUX_OK
            && WebPMuxSetCanvasSize(mux, CInt(width), CInt(height)) == WEBP_MUX_OK
    }

    /// Appends a frame with another picture.
    func append(_ frame: inout WebPMuxFrameInfo, showing picture: UnsafeRawBufferPointer) -> Bool {
        let own = frame.bitstream
        defer { frame.bitstream = own }
        frame.bitstream = WebPData(bytes: picture.bindMemory(to: UInt8.self).baseAddress, size: picture.count)
        return WebPMuxPushFrame(mux, &frame, 1) == WEBP_MUX_OK
    }

    /// Makes it a still file.
    func setPicture(_ picture: UnsafeRawBufferPointer) -> Bool {
        var data = WebPData(bytes: picture.bindMemory(to: UInt8.self).baseAddress, size: picture.count)
        return WebPMuxSetImage(mux, &data, 1) == WEBP_MUX_OK
    }

    /// Assembles the whole file.
    func assembled() -> [UInt8]? {
        var data = WebPData()
        guard WebPMuxAssemble(mux, &data) == WEBP_MUX_OK, let start = data.bytes else { return nil }
        defer { WebPFree(UnsafeMutablePointer(mutating: start)) }
        return Array(UnsafeBufferPointer(start: start, count: data.size))
    }
}
