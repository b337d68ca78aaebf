/// The claims of a message about its voice note, which can be shown before the file is fetched.
public struct VoiceClaim: Hashable, Sendable {
    /// Units: milliseconds.
    public let durationMilliseconds: Int
    /// The waveform: the loudest sample of each of 64 equal parts, from 0 to 255.
    public let peaks: [UInt8]
    /// Units: bytes of the file.
    public let byteCount: Int

    /// Takes the claims of a message.
    ///
    /// - Throws: `falseClaim` if no voice note can match them.
    public init(durationMilliseconds: Int, peaks: [UInt8], byteCount: Int) throws(MediaRefusal) {
        guard 1...VoiceLimits.durationMilliseconds ~= durationMilliseconds, peaks.count == VoiceLimits.peakCount,
            1...VoiceLimits.byteCount ~= byteCount
        else {
            throw MediaRefusal(.falseClaim, "The description of the voice note in its message is impossible.")
        }
        self.durationMilliseconds = durationMilliseconds
        self.peaks = peaks
        self.byteCount = byteCount
    }

    init(of recording: OpusRecording, peaks: [UInt8], byteCount: Int) {
        durationMilliseconds = recording.durationMilliseconds
        self.peaks = peaks
        self.byteCount = byteCount
    }

    /// Compares a received file with the claims about it; no sound is decoded.
    ///
    /// - Throws: `damaged` if the file is not Opus in Ogg, `falseClaim` if its size or its length differs from the
    ///   claims.
    public func check(_ bytes: [UInt8]) throws(MediaRefusal) {
        guard bytes.count == byteCount else { throw Self.otherNote }
        guard bytes.begins(with: "OggS"), let recording = OggReader.read(bytes) else { throw .damagedRecording }
        guard !recording.isCut, recording.durationMilliseconds == durationMilliseconds else { throw Self.otherNote }
    }

    private static let otherNote = MediaRefusal(
        .falseClaim,
        "The voice note does not match the description in its message."
    )
}
