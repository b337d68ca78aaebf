import Testing

@testable import EarshotMedia

@Suite("Changed pictures")
struct MutationTests {
    static func sample(of format: ImageFormat) throws -> [UInt8] {
        switch format {
        case .jpeg: try Planting.orientation(6, inJPEG: Picture.jpeg(.slopes(32, 16)))
        case .png: try Planting.chunks([("eXIf", Planting.tiff(orientation: 3))], inPNG: Picture.png(.veil(12, 9)))
        case .webp: try Planting.inWebP(MovingPicture.sample.webp(width: 24, height: 16))
        case .gif: GIFBuilder.sample(secret: Planting.secret)
        }
    }

    /// Checks that the output, if any, has the format and size of a picture, holds no secret, and is unchanged by a
    /// second cleaning.
    static func expectCleanOrRefused(_ bytes: [UInt8]) {
        var limits = ImageLimits()
        limits.pixelCount = 100_000
        let cleaner = ImageCleaner(limits: limits)
        guard let clean = try? cleaner.clean(bytes) else { return }
        #expect(!clean.bytes.holdsSecret)
        #expect(throws: Never.self) {
            let again = try cleaner.clean(clean.bytes)
            #expect(again == clean)
        }
    }

    @Test("A picture with changed bytes is refused or clean", arguments: ImageFormat.allCases, 0..<4)
    func mutants(format: ImageFormat, seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let picture = try Self.sample(of: format)
        for _ in 0..<100 {
            var bytes = picture
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 5))
                default: bytes.insert(contentsOf: [0xFF, 0xFF, 0, 0xFF], at: place)
                }
            }
            Self.expectCleanOrRefused(bytes)
        }
    }
}
