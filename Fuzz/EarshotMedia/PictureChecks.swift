#if !FUZZING
    @testable import EarshotMedia
#endif

/// A media sanitizer whose limits the fuzzer reaches.
private let cleaner: ImageCleaner = {
    var limits = ImageLimits()
    (limits.edge, limits.pixelCount, limits.frameCount, limits.decodedByteCount) = (512, 20_000, 8, 200_000)
    return ImageCleaner(limits: limits)
}()

/// Checks that a cleaned picture has the size that it states and is clean: a second cleaning does not change it.
func checkCleaning(_ bytes: [UInt8], longestEdge: Int?) {
    guard let clean = try? cleaner.clean(bytes, longestEdge: longestEdge) else { return }
    guard let header = try? ImageHeader(reading: clean.bytes), let again = try? cleaner.clean(clean.bytes) else {
        preconditionFailure("what is clean can be cleaned")
    }
    precondition(header.format == clean.format && header.width == clean.width && header.height == clean.height)
    // Each cleaning encodes a lossy WebP with alpha again, which changes it a little.
    precondition(again == clean || clean.format == .webp && again.frameCount == clean.frameCount)
    precondition(again.width == clean.width && again.height == clean.height)
}

/// Returns the examples after a check that cleaning accepts all of them as they are, so that the fuzzer reaches the
/// code after reading.
func cleanable(_ examples: [[UInt8]]) -> [[UInt8]] {
    precondition(examples.count > 0 && examples.allSatisfy { (try? cleaner.clean($0)) != nil })
    return examples
}

/// Exif that states only the orientation of the picture.
let turned: [UInt8] =
    Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]

/// A picture of smooth gradients, some of it transparent.
let slopes: Bitmap = {
    var bitmap = Bitmap(width: 19, height: 13)
    for place in bitmap.pixels.indices { bitmap.pixels[place] = UInt32(place) &* 0x0103_0105 | 0x8000_0000 }
    return bitmap
}()
