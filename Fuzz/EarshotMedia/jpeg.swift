#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks JPEGs with changed bytes, of every kind of encoding.
func fuzzJPEG(_ input: [UInt8]) {
    var choices = Choices(input)
    let longestEdge = choices.flag() ? 1 + Int(choices.byte() % 32) : nil
    checkCleaning(choices.candidate(like: cleanableExamples), longestEdge: longestEdge)
}

private let cleanableExamples = cleanable(examples)

private let examples: [[UInt8]] = [(0, false), (2, true), (3, false)].compactMap { subsampling, isProgressive in
    JPEGCodec.encode(slopes, subsampling: subsampling, isProgressive: isProgressive).map { bytes in
        let exif = Array("Exif\0\0".utf8) + turned
        return bytes.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + bytes.dropFirst(2)
    }
}
