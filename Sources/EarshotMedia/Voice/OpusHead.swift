import Bytes

/// The identification header of an Opus stream, in Ogg's first packet and in WebM's track.
///
/// Source: RFC 7845, 5.1.
struct OpusHead: Equatable {
    /// The number of channels, 1 or 2.
    let channelCount: Int
    /// Units: samples to discard at the start.
    let skip: Int
    /// Units: 1/256 dB to add to the decoded sound.
    let gain: Int16

    /// Reads the header; nil for streams that are no voice: with more channels, or of a later version.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard reader.take(8)?.begins(with: "OpusHead") == true, let version = reader.byte(), version < 16,
            let channelCount = reader.byte(), 1...2 ~= channelCount, let skip = reader.littleEndian(UInt16.self),
            reader.skip(4), let gain = reader.littleEndian(Int16.self), reader.byte() == 0,
            skip <= VoiceLimits.skipLimit
        else { return nil }
        self.channelCount = Int(channelCount)
        self.skip = Int(skip)
        self.gain = gain
    }

    /// The header in the form of voice notes: it does not reveal the sample rate of the recorder.
    var bytes: [UInt8] {
        var bytes = Array("OpusHead".utf8) + [1, UInt8(channelCount)]
        bytes.appendLittle(UInt16(skip))
        bytes.appendLittle(UInt32(VoiceLimits.sampleRate))
        bytes.appendLittle(gain)
        return bytes + [0]
    }
}

extension [UInt8] {
    /// Appends an integer, its lowest byte first.
    mutating func appendLittle(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
