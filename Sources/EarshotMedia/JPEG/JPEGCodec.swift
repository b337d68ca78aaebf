import CTurboJPEG
import Foundation

/// The JPEG codec by libjpeg-turbo, from memory to memory.
///
/// The errors of the library stay inside of it: it returns -1 and never jumps out.
struct JPEGCodec {
    /// The fields that the library reads in a picture's headers.
    struct Header: Equatable {
        let width: Int
        let height: Int
        let subsampling: CInt
        let isPrinted: Bool
    }

    /// The quality of pictures that are packed again, on the scale of libjpeg; from about 85 the differences are
    /// invisible.
    static let quality: CInt = 90

    /// The library gives up at 500 scans: a file with more than any encoder writes is made to cost time.
    private static let flags = TJFLAG_LIMITSCANS

    static func header(of bytes: [UInt8]) -> Header? {
        guard let handle = tjInitDecompress() else { return nil }
        defer { tjDestroy(handle) }
        var (width, height, subsampling, colors): (CInt, CInt, CInt, CInt) = (0, 0, -1, -1)
        let status = bytes.withUnsafeBufferPointer {
            tjDecompressHeader3(handle, $0.baseAddress, UInt($0.count), &width, &height, &subsampling, &colors)
        }
        guard status == 0 || isWarning(handle), width > 0, height > 0, subsampling >= 0 else { return nil }
        return Header(
            width: Int(width),
            height: Int(height),
            subsampling: subsampling,
            isPrinted: colors == CInt(TJCS_CMYK.rawValue) || colors == CInt(TJCS_YCCK.rawValue)
        )
    }

    /// Writes the same coefficients without any other segment, turned upright.
    ///
    /// - Returns: Nil if the picture is damaged, or if it cannot be turned without loss.
    static func transform(_ bytes: [UInt8], from orientation: Orientation, isProgressive: Bool) -> [UInt8]? {
        guard let header = header(of: bytes), let handle = tjInitTransform() else { return nil }
        defer { tjDestroy(handle) }
        var transform = tjtransform()
        transform.op = CInt(operation(for: orientation).rawValue)
        transform.options = TJXOPT_COPYNONE | TJXOPT_PERFECT | (isProgressive ? TJXOPT_PROGRESSIVE : 0)
        // The library writes into our memory, which is filled with zeros: if it gives up midway, its output holds
        // nothing of its own heap. It assumes that this memory has the size of its own estimate, whatever size it is
        // told, and even a small file can need all of it. The system allocates only the pages that are written to.
        let capacity = tjBufSize(CInt(header.width), CInt(header.height), header.subsampling)
        guard capacity != .max, let output = calloc(Int(capacity), 1) else { return nil }
        defer { free(output) }
        let start = output.assumingMemoryBound(to: UInt8.self)
        var (place, size): (UnsafeMutablePointer<UInt8>?, UInt) = (start, capacity)
        let status = bytes.withUnsafeBufferPointer { input in
            tjTransform(
                handle,
                input.baseAddress,
                UInt(input.count),
                1,
                &place,
                &size,
                &transform,
                flags | TJFLAG_NOREALLOC
            )
        }
        guard status == 0 || isWarning(handle), place == start, size > 0, size <= capacity,
            start[Int(size) - 1] == JPEGSegment.Marker.endOfImage.code
        else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(size)))
    }

    static func decode(_ bytes: [UInt8], header: Header) -> Bitmap? {
        guard let handle = tjInitDecompress() else { return nil }
        defer { tjDestroy(handle) }
        return bytes.withUnsafeBufferPointer { input in
            Bitmap(width: header.width, height: header.height) { pixels in
                let status = tjDecompress2(
                    handle,
                    input.baseAddress,
                    UInt(input.count),
                    pixels,
                    CInt(header.width),
                    0,
                    CInt(header.height),
                    CInt(TJPF_RGBA.rawValue),
                    flags | TJFLAG_ACCURATEDCT
                )
                return status == 0 || isWarning(handle)
            }
        }
    }

    static func encode(_ bitmap: Bitmap, subsampling: CInt, isProgressive: Bool) -> [UInt8]? {
        guard let handle = tjInitCompress() else { return nil }
        defer { tjDestroy(handle) }
        var start: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { tjFree(start) }
        let status = bitmap.pixels.withUnsafeBytes { buffer in
            tjCompress2(
                handle,
                buffer.bindMemory(to: UInt8.self).baseAddress,
                CInt(bitmap.width),
                0,
                CInt(bitmap.height),
                CInt(TJPF_RGBA.rawValue),
                &start,
                &size,
                subsampling,
                quality,
                TJFLAG_ACCURATEDCT | (isProgressive ? TJFLAG_PROGRESSIVE : 0)
            )
        }
        guard status == 0, let start else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(size)))
    }

    /// Whether the last failure is one that decoders tolerate: surplus bytes, or an early end, which shows as grey.
    private static func isWarning(_ handle: tjhandle) -> Bool {
        tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue)
    }

    private static func operation(for orientation: Orientation) -> TJXOP {
        switch orientation {
        case .upright: TJXOP_NONE
        case .mirrored: TJXOP_HFLIP
        case .upsideDown: TJXOP_ROT180
        case .flipped: TJXOP_VFLIP
        case .transposed: TJXOP_TRANSPOSE
        case .turnedRight: TJXOP_ROT90
        case .transversed: TJXOP_TRANSVERSE
        case .turnedLeft: TJXOP_ROT270
        }
    }
}
