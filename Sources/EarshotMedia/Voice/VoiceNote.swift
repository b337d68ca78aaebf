public import Foundation

/// A recording of at most a minute that holds only its sound.
///
/// The source is Opus in Ogg or in WebM, the formats that browsers record, and the result is always Opus in Ogg: the
/// same packets, under headers that are the same for all users. Programs, titles, dates, covers and the padding in
/// packets are removed. A longer recording keeps its first minute.
public struct VoiceNote: Hashable, Sendable {
    /// The media type of every voice note.
    public static let mediaType = "audio/ogg"

    /// The whole file.
    public let bytes: [UInt8]
    /// The claims of the message about it.
    public let claim: VoiceClaim
    /// Whether the recording was longer than a minute.
    public let isCut: Bool

    /// Makes a voice note of a recording.
    ///
    /// - Throws: The refusal of a recording that cannot be cleaned, with the reason.
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
                """
                A voice note must be Opus in Ogg or WebM, as browsers record it. Record it again, or send it as a \
                file.
                """
            )
        }
        guard let opus, let peaks = Waveform.peaks(of: opus) else { throw .damagedRecording }
        bytes = OggWriter.write(opus)
        guard bytes.count <= VoiceLimits.byteCount else { throw MediaFile.tooManyBytes(limit: VoiceLimits.byteCount) }
        claim = VoiceClaim(of: opus, peaks: peaks, byteCount: bytes.count)
        isCut = opus.isCut
    }

    /// Makes a voice note of a file on this machine.
    ///
    /// - Throws: The refusal of a file that cannot be read, or is no recording that can be cleaned.
    public init(cleaningFileAt url: URL) throws(MediaRefusal) {
        try self.init(cleaning: MediaFile.read(url, limit: VoiceLimits.recordingByteCount))
    }
}
