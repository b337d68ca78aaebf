import CGIF
import CWebP
import Testing

@testable import EarshotMedia

/// An animation, frame by frame, for comparison before and after.
struct MovingPicture: Equatable {
    struct Frame: Equatable {
        let left: Int
        let top: Int
        /// Units: those of the format, hundredths or thousandths of a second.
        let duration: Int
        /// The disposal of the frame and its blending over the previous one, as the format numbers them.
        let manner: [Int]
        let bitmap: Bitmap
    }

    var rounds: Int
    var frames: [Frame]
}

extension MovingPicture {
    /// Reads a GIF with the module's reader.
    init?(gif bytes: [UInt8]) {
        guard let reader = GIFReader(bytes) else { return nil }
        self.init(rounds: -1, frames: [])
        var timing: GIFTiming?
        while let record = reader.next() {
            switch record {
            case .timing(let block): timing = block
            case .rounds(let count): rounds = Int(count)
            case .text, .other: break
            case .end: return
            case .frame(let place):
                guard let frame = Self.frame(place, timing, reader) else { return nil }
                frames.append(frame)
                timing = nil
            }
        }
        return nil
    }

    private static func frame(_ place: GIFFrame, _ timing: GIFTiming?, _ reader: GIFReader) -> Frame? {
        guard let map = reader.file.pointee.Image.ColorMap ?? reader.file.pointee.SColorMap else { return nil }
        var bitmap = Bitmap(width: place.width, height: place.height)
        for y in 0..<place.height {
            var row = [UInt8](repeating: 0, count: place.width)
            guard reader.readRow(into: &row, colorCount: place.colorCount) else { return nil }
            for (x, index) in row.enumerated() {
                let color = map.pointee.Colors[Int(index)]
                bitmap.pixels[y * place.width + x] = Bitmap.pixel([color.Red, color.Green, color.Blue, 255])
            }
        }
        let bytes = timing?.bytes ?? [0, 0, 0, 0]
        return Frame(
            left: place.left,
            top: place.top,
            duration: Int(bytes[1]) | Int(bytes[2]) << 8,
            manner: [Int(bytes[0]), Int(bytes[3]), place.isInterlaced ? 1 : 0],
            bitmap: bitmap
        )
    }

    /// Reads a WebP with libwebpmux.
    init?(webp bytes: [UInt8]) {
        guard let file = WebPFile(reading: bytes), let animation = file.animation else { return nil }
        self.init(rounds: Int(animation.loop_count), frames: [])
        for index in 0..<WebPChunks(bytes).frameCount {
            let frame = file.withFrame(index) { info, picture in
                WebPCodec.features(of: picture).flatMap { WebPCodec.decode(picture, $0) }.map { bitmap in
                    Frame(
                        left: Int(info.x_offset),
                        top: Int(info.y_offset),
                        duration: Int(info.duration),
                        manner: [Int(info.dispose_method.rawValue), Int(info.blend_method.rawValue)],
                        bitmap: bitmap
                    )
                }
            }
            guard let frame else { return nil }
            frames.append(frame)
        }
    }

    /// The error if the library rejects the frames of a test.
    struct Unbuilt: Error {}

    /// Encodes these frames as a WebP.
    func webp(width: Int, height: Int, hidesSecret: Bool = false) throws -> [UInt8] {
        guard let file = WebPFile() else { throw Unbuilt() }
        let animation = WebPMuxAnimParams(bgcolor: 0xFF00_FF00, loop_count: CInt(rounds))
        guard file.begin(animation, width: width, height: height) else { throw Unbuilt() }
        for frame in frames {
            let plain = try Picture.webp(frame.bitmap, lossless: true)
            let picture = hidesSecret ? Planting.atEnd(of: "VP8L", inWebP: plain) : plain
            let isTaken = picture.withUnsafeBytes { buffer in
                var info = WebPMuxFrameInfo()
                (info.x_offset, info.y_offset) = (CInt(frame.left), CInt(frame.top))
                info.duration = CInt(frame.duration)
                info.id = WEBP_CHUNK_ANMF
                info.dispose_method = WebPMuxAnimDispose(UInt32(frame.manner[0]))
                info.blend_method = WebPMuxAnimBlend(UInt32(frame.manner[1]))
                return file.append(&info, showing: buffer)
            }
            guard isTaken else { throw Unbuilt() }
        }
        guard let bytes = file.assembled() else { throw Unbuilt() }
        return bytes
    }

    /// Three frames with different positions, times and disposals.
    static let sample = MovingPicture(
        rounds: 3,
        frames: [
            Frame(left: 0, top: 0, duration: 70, manner: [0, 1], bitmap: .slopes(24, 16)),
            Frame(left: 4, top: 2, duration: 130, manner: [1, 0], bitmap: .veil(8, 10)),
            Frame(left: 8, top: 6, duration: 40, manner: [0, 0], bitmap: .quarters(16, 10)),
        ]
    )
}
