import CWebP

#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks WebPs with changed bytes: lossy, lossless, animated.
func fuzzWebP(_ input: [UInt8]) {
    var choices = Choices(input)
    let longestEdge = choices.flag() ? 1 + Int(choices.byte() % 32) : nil
    checkCleaning(choices.candidate(like: cleanableExamples), longestEdge: longestEdge)
}

private let cleanableExamples = cleanable(examples)

private let examples: [[UInt8]] = {
    let still = [false, true].compactMap { WebPCodec.encode(slopes, lossless: $0) }
    guard let file = WebPFile(), file.begin(WebPMuxAnimParams(bgcolor: 0, loop_count: 2), width: 19, height: 13) else {
        return still
    }
    for picture in still {
        picture.withUnsafeBytes { buffer in
            var frame = WebPMuxFrameInfo()
            frame.duration = 40
            frame.id = WEBP_CHUNK_ANMF
            _ = file.append(&frame, showing: buffer)
        }
    }
    return still + [file.assembled()].compactMap(\.self)
}()
