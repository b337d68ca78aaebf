/// The metadata stripper for GIF: it unpacks every frame and packs it again, with its palette, position, time and
/// transparency.
///
/// The number of rounds stays. It removes comments, text blocks, application data and bytes after the end, bytes that
/// hide behind the last pixel of a frame, and the palette entries that no pixel shows.
struct GIFCleaner {
    let limits: ImageLimits

    func clean(_ bytes: [UInt8]) throws(MediaRefusal) -> CleanImage {
        let colors = try colors(bytes)
        guard let reader = GIFReader(bytes) else { throw .damaged(.gif) }
        reader.keepShared(colors.shared)
        guard let writer = GIFWriter(screenOf: reader) else { throw .damaged(.gif) }
        var (frameCount, timing, hasRounds) = (0, GIFTiming?.none, false)
        while let record = reader.next() {
            switch record {
            case .timing(let bytes): timing = bytes
            case .text: timing = nil
            case .rounds(let count):
                guard hasRounds || writer.write(rounds: count) else { throw .damaged(.gif) }
                hasRounds = true
            case .other: break
            case .frame(let frame):
                reader.keepOwn(colors.own[frameCount])
                frameCount += 1
                guard writer.write(frame, timing: timing, from: reader) else { throw .damaged(.gif) }
                timing = nil
            case .end:
                guard let result = writer.finish() else { throw .damaged(.gif) }
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

    /// Reads the file once, within the limits, and collects its colours.
    private func colors(_ bytes: [UInt8]) throws(MediaRefusal) -> GIFColors {
        guard let reader = GIFReader(bytes) else { throw .damaged(.gif) }
        var (colors, pixelCount, timing) = (GIFColors(), 0, GIFTiming?.none)
        colors.add(background: reader.background)
        while let record = reader.next() {
            switch record {
            case .timing(let bytes): timing = bytes
            case .text: timing = nil
            case .rounds, .other: break
            case .frame(let frame):
                pixelCount += frame.width * frame.height
                try limits.checkFrameCount(colors.own.count + 1)
                try limits.checkSize(width: frame.width, height: frame.height)
                try limits.checkDecoded(pixelCount: pixelCount)
                guard let indices = reader.readIndices(of: frame) else { throw .damaged(.gif) }
                colors.add(indices, transparent: timing?.transparentIndex, hasPalette: reader.hasOwnPalette)
                timing = nil
            case .end:
                guard !colors.own.isEmpty else { throw .damaged(.gif) }
                return colors
            }
        }
        throw .damaged(.gif)
    }
}
