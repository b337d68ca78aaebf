import CTurboJPEG
import Foundation
import Testing

@testable import EarshotMedia

/// A generator that draws the same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension Bitmap {
    /// Makes a bitmap of the colour at each position: red, green, blue, alpha.
    init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.init(width: width, height: height)
        for place in pixels.indices {
            pixels[place] = Bitmap.pixel(color(place % width, place / width))
        }
    }

    static func pixel(_ color: [UInt8]) -> UInt32 {
        color.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Makes a picture of smooth gradients, as photographs have.
    static func slopes(_ width: Int, _ height: Int) -> Bitmap {
        Bitmap(width: width, height: height) { x, y in
            [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 127 / (width + height)), 255]
        }
    }

    /// Makes gradients that become more and more transparent.
    static func veil(_ width: Int, _ height: Int) -> Bitmap {
        Bitmap(width: width, height: height) { x, y in
            [UInt8(x * 255 / width), UInt8(y * 255 / height), 40, UInt8(1 + x * 254 / width)]
        }
    }

    /// Makes a picture with a colour in each quarter: red, green, blue, white from the top left.
    static func quarters(_ width: Int, _ height: Int) -> Bitmap {
        Bitmap(width: width, height: height) { x, y in
            switch (x * 2 < width, y * 2 < height) {
            case (true, true): [250, 10, 10, 255]
            case (false, true): [10, 250, 10, 255]
            case (true, false): [10, 10, 250, 255]
            case (false, false): [250, 250, 250, 255]
            }
        }
    }

    /// The names of the corners' quarters, from the top left.
    var corners: [String] {
        [0, width - 1, (height - 1) * width, height * width - 1].map { place in
            let color = (0..<3).map { pixels[place] >> (8 * UInt32($0)) & 0xFF > 128 }
            return switch color {
            case [true, false, false]: "red"
            case [false, true, false]: "green"
            case [false, false, true]: "blue"
            case [true, true, true]: "white"
            default: "other"
            }
        }
    }

    /// Computes the similarity.
    ///
    /// Units: decibel of the mean squared difference of all colours, against full range; infinite if all are the
    /// same.
    func similarity(to other: Bitmap) -> Double {
        guard width == other.width, height == other.height else { return -.infinity }
        var sum = 0
        for (one, two) in zip(pixels, other.pixels) {
            for shift: UInt32 in [0, 8, 16, 24] {
                let difference = Int(one >> shift & 0xFF) - Int(two >> shift & 0xFF)
                sum += difference * difference
            }
        }
        return 10 * log10(255.0 * 255.0 * Double(pixels.count * 4) / Double(sum))
    }
}

/// Pictures as files, without any metadata.
enum Picture {
    static func jpeg(
        _ bitmap: Bitmap,
        subsampling: TJSAMP = TJSAMP_420,
        isProgressive: Bool = false
    ) throws -> [UInt8] {
        try #require(
            JPEGCodec.encode(bitmap, subsampling: CInt(subsampling.rawValue), isProgressive: isProgressive)
        )
    }

    static func png(_ bitmap: Bitmap) throws -> [UInt8] {
        try PNGChunks(#require(PNGCodec.encode(bitmap))).essential(withGamma: false)
    }

    static func webp(_ bitmap: Bitmap, lossless: Bool = false) throws -> [UInt8] {
        try #require(WebPCodec.encode(bitmap, lossless: lossless))
    }

    static func decode(jpeg bytes: [UInt8]) throws -> Bitmap {
        let header = try #require(JPEGCodec.header(of: bytes))
        return try #require(JPEGCodec.decode(bytes, header: header))
    }

    static func decode(png bytes: [UInt8]) throws -> Bitmap {
        let size = try #require(PNGChunks.size(in: bytes))
        return try #require(PNGCodec.decode(bytes, width: size.width, height: size.height))
    }

    static func decode(webp bytes: [UInt8]) throws -> Bitmap {
        try #require(
            bytes.withUnsafeBytes { buffer in
                WebPCodec.features(of: buffer).flatMap { WebPCodec.decode(buffer, $0) }
            }
        )
    }

    static func decode(_ image: CleanImage) throws -> Bitmap {
        switch image.format {
        case .jpeg: try decode(jpeg: image.bytes)
        case .png: try decode(png: image.bytes)
        case .webp: try decode(webp: image.bytes)
        case .gif: try #require(MovingPicture(gif: image.bytes)?.frames.first?.bitmap)
        }
    }
}
