import Bytes

#if !FUZZING
    @testable import EarshotMedia
#endif

/// Checks Ogg files with changed bytes, mostly with checksums that match the changes.
func fuzzOgg(_ input: [UInt8]) {
    var choices = Choices(input)
    let isRepaired = choices.byte() % 8 != 0
    let bytes = choices.candidate(like: [example])
    checkVoice(isRepaired ? repaired(bytes) : bytes)
}

private let example: [UInt8] = {
    guard var recording = OpusHead(opusHead[...]).map(OpusRecording.init(head:)) else { return [] }
    for packet in packets { _ = recording.append(packet) }
    return OggWriter.write(recording)
}()

/// Returns the same pages with correct checksums.
private func repaired(_ ogg: [UInt8]) -> [UInt8] {
    var bytes = ogg
    var reader = ByteReader(ogg)
    while reader.remainingCount > 27 {
        let start = ogg.count - reader.remainingCount
        var ahead = reader
        guard ahead.skip(26), let count = ahead.byte(), let lengths = ahead.take(Int(count)) else { break }
        let end = start + 27 + lengths.count + lengths.reduce(0) { $0 + Int($1) }
        guard reader.skip(end - start) else { break }
        var checksum: [UInt8] = []
        checksum.appendLittle(OggChecksum.of(bytes[start..<end]))
        bytes.replaceSubrange(start + 22..<start + 26, with: checksum)
    }
    return bytes
}
