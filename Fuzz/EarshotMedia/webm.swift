#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks WebM files with changed bytes.
func fuzzWebM(_ input: [UInt8]) {
    var choices = Choices(input)
    checkVoice(choices.candidate(like: [example]))
}

private let example: [UInt8] = {
    let track = element([0xD7], [1]) + element([0x86], Array("A_OPUS".utf8)) + element([0x63, 0xA2], opusHead)
    let blocks = packets.flatMap { element([0xA3], [0x81, 0, 0, 0x80] + $0) }
    let last = element([0xA0], element([0xA1], [0x81, 0, 0, 0, 0x18]) + element([0x75, 0xA2], [0x0F, 0x42, 0x40]))
    let open: [UInt8] = [0x01] + [UInt8](repeating: 0xFF, count: 7)
    return element([0x1A, 0x45, 0xDF, 0xA3], []) + [0x18, 0x53, 0x80, 0x67] + open
        + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track)) + [0x1F, 0x43, 0xB6, 0x75] + open + blocks + last
}()

private func element(_ name: [UInt8], _ body: [UInt8]) -> [UInt8] {
    name + [0x40, UInt8(body.count)] + body
}
