/// A picture in memory, row after row.
///
/// Shape: each pixel is four bytes in the order red, green, blue, alpha; the colours are not multiplied by alpha. So
/// the lowest eight bits of a `UInt32` are red on every machine Swift runs on. There are exactly `width` * `height`
/// pixels.
struct Bitmap: Equatable {
    let width: Int
    let height: Int
    var pixels: [UInt32]

    /// Makes a bitmap whose pixels a library fills in.
    ///
    /// - Returns: Nil if `fill` returns false.
    init?(width: Int, height: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) -> Bool) {
        self.init(width: width, height: height)
        let filled = pixels.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: UInt8.self).baseAddress.map(fill) ?? false
        }
        guard filled else { return nil }
    }

    /// Makes a bitmap of transparent black pixels.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt32](repeating: 0, count: width * height)
    }

    /// Units: bytes.
    var bytesPerRow: Int { width * 4 }

    /// Whether every pixel is opaque.
    var isOpaque: Bool { pixels.allSatisfy { $0 >> 24 == 0xFF } }

    /// Whether all pixels are shades of grey.
    var isGrey: Bool { pixels.allSatisfy { $0 & 0xFF == $0 >> 8 & 0xFF && $0 & 0xFF == $0 >> 16 & 0xFF } }

    /// The bitmap without the colours of fully transparent pixels.
    var withoutHiddenColors: Bitmap {
        guard pixels.contains(where: { $0 != 0 && $0 >> 24 == 0 }) else { return self }
        var result = self
        for place in pixels.indices where pixels[place] >> 24 == 0 { result.pixels[place] = 0 }
        return result
    }

    /// Turns the bitmap upright, from the orientation in which it is stored.
    func upright(from orientation: Orientation) -> Bitmap {
        guard orientation != .upright else { return self }
        var result =
            orientation.swapsEdges ? Bitmap(width: height, height: width) : Bitmap(width: width, height: height)
        let (right, bottom) = (width - 1, height - 1)
        // The index of the pixel seen at (0, 0), and the distances in storage between neighbours in x and in y.
        let (start, acrossStep, downStep) =
            switch orientation {
            case .upright: (0, 1, width)
            case .mirrored: (right, -1, width)
            case .upsideDown: (bottom * width + right, -1, -width)
            case .flipped: (bottom * width, 1, -width)
            case .transposed: (0, width, 1)
            case .turnedRight: (bottom * width, -width, 1)
            case .transversed: (bottom * width + right, -width, -1)
            case .turnedLeft: (right, width, -1)
            }
        var place = 0
        for y in 0..<result.height {
            for x in 0..<result.width {
                result.pixels[place] = pixels[start + x * acrossStep + y * downStep]
                place += 1
            }
        }
        return result
    }
}
