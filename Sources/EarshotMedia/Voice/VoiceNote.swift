public import Foundation

/// A recording of at most a minute, of which nothing is left but the sound.
///
/// It is made of Opus in Ogg or in WebM, which is what browsers record, and always becomes Opus in Ogg: the packets as they
/// were, under headers that say the same about everybody. Programs, titles, dates and covers are gone, padding in packets
/// too. A longer recording keeps its first minute.
public struct VoiceNote: Hashable, Sendable {
    /// The media type of every voice note.
    public static let mediaType = "audio/ogg"

    /// The whole file.
    public let bytes: [UInt8]
    /// What the message says about it.
    public let claim: VoiceClaim
    /// Whether the recording was longer.
    public let isCut: Bool

    /// Makes a voice note of a recording.
    ///
    /// - Throws: What is no recording that can be cleaned, with the reason.
    public init(cleaning recording: [UInt8]) throws(MediaRefusal) {
        guard recording.count <= VoiceLimits.recordingByteCount else {
            throw MediaFile.tooManyBytes(limit: VoiceLimits.recordingByteCount)
        }
        let opus: OpusRecording?
        if recording.begins(with: "OggS") {
            opus = OggReader.read(recording)
        } else if recording.starts(with: EBMLElement.start) {
            opus = WebMReader.read(recording)
        } else {
            throw MediaRefusal(
                .unsupportedFormat,
                "A voice note is Opus in Ogg or WebM, as browsers record it. Record it again, or send it as a file."
            )
        }
        guard let opus, let peaks = Waveform.peaks(of: opus) else { throw .damagedRecording }
        bytes = OggWriter.write(opus)
        guard bytes.count <= VoiceLimits.byteCount else { throw MediaFile.tooManyBytes(limit: VoiceLimits.byteCount) }
        claim = VoiceClaim(of: opus, peaks: peaks, byteCount: bytes.count)
        isCut = opus.isCut
    }

    /// Makes a voice note of a file of this machine.
    ///
    /// - Throws: What cannot be read, or is no recording that can be cleaned.
    public init(cleaningFileAt url: URL) throws(MediaRefusal) {
        try self.init(cleaning: MediaFile.read(url, limit: VoiceLimits.recordingByteCount))
    }
}
