#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks GIFs with changed bytes.
func fuzzGIF(_ input: [UInt8]) {
    var choices = Choices(input)
    checkCleaning(choices.candidate(like: cleanableExamples), longestEdge: nil)
}

private let cleanableExamples = cleanable([example])

/// Two frames of two colours, one of them interlaced, with all kinds of blocks; every code of the pixels is a byte.
private let example: [UInt8] = {
    let screen = Array("GIF89a".utf8) + [4, 0, 5, 0, 0b1111_0000, 0, 0, 10, 20, 30, 200, 100, 0]
    let rounds = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 2, 0, 0]
    let comment = [0x21, 0xFE, 4] + Array("what".utf8) + [0]
    let timing: [UInt8] = [0x21, 0xF9, 4, 0b0000_0101, 10, 0, 1, 0]
    let first: [UInt8] = [0x2C, 0, 0, 0, 0, 4, 0, 2, 0, 0, 7, 10, 128, 0, 1, 0, 1, 1, 1, 0, 0, 129, 0]
    let second: [UInt8] =
        [0x2C, 1, 0, 1, 0, 1, 0, 4, 0, 0b1100_0000, 1, 2, 3, 4, 5, 6, 7, 6, 128, 0, 1, 1, 0, 129, 0]
    return screen + rounds + comment + timing + first + timing + second + [0x3B]
}()
