/// Cleans GIF: every frame is unpacked and packed again, with its palette, place, time and transparency.
///
/// The number of rounds stays. Comments, text blocks, data of programs and what stands after the end go, and so does what
/// hides behind the end of a frame's pixels.
struct GIFCleaner {
    let limits: ImageLimits

    func clean(_ bytes: [UInt8]) throws(MediaRefusal) -> CleanImage {
        guard let reader = GIFReader(bytes), let writer = GIFWriter(screenOf: reader) else { throw .damaged(.gif) }
        var (frameCount, pixelCount, timing, hasRounds) = (0, 0, GIFTiming?.none, false)
        while let record = reader.next() {
            switch record {
            case .timing(let bytes): timing = bytes
            case .text: timing = nil
            case .rounds(let count):
                guard hasRounds || writer.write(rounds: count) else { throw .damaged(.gif) }
                hasRounds = true
            case .other: break
            case .frame(let frame):
                frameCount += 1
                pixelCount += frame.width * frame.height
                try limits.checkFrameCount(frameCount)
                try limits.checkSize(width: frame.width, height: frame.height)
                try limits.checkDecoded(pixelCount: pixelCount)
                guard writer.write(frame, timing: timing, from: reader) else { throw .damaged(.gif) }
                timing = nil
            case .end:
                guard frameCount > 0, let result = writer.finish() else { throw .damaged(.gif) }
                return CleanImage(
                    format: .gif,
                    width: reader.width,
                    height: reader.height,
                    frameCount: frameCount,
                    bytes: result
                )
            }
        }
        throw .damaged(.gif)
    }
}
